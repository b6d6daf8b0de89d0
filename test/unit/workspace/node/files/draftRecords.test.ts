import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createNodePorts } from '../../../../../src/library/workspace/nodePorts';
import { createDraftRecords } from '../../../../../src/workspace/node/files/draftRecords';
import { draftName } from '../../../../../src/workspace/node/files/drafts';
import { createNodeFileSystem } from '../../../../../src/workspace/node/files/nodeFileSystem';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('createDraftRecords', () => {
  let folder: TemporaryFolder;
  const at = (...names: readonly string[]): string => path.join(folder.path, ...names);
  /** The name as a dead process would have made it. */
  const ofDead = (name: string): string => name.replace(/\.\d+-\w*-/, '.1073741824-1-');

  before(function () {
    // Elsewhere a start time is unknown, so a dead process is known by its number only.
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'work/a.txt': 'one\n' });
  });
  afterEach(() => folder?.dispose());

  /** Leaves a draft and its record, as a killed process does. */
  async function die(draft: string, text = JSON.stringify({ draft })): Promise<void> {
    await mkdir(at('drafts'), { recursive: true });
    await writeFile(ofDead(await draftName(at('drafts', 'draft'))), text);
  }

  it('keep nothing of a write that ended, well or not', async () => {
    const records = createDraftRecords(at('drafts'));
    const files = createNodeFileSystem(records);
    await files.writeText(at('work', 'a.txt'), 'two\n', 'one\n');
    await files.writeText(at('work', 'b.txt'), 'new\n', null);
    await assert.rejects(files.writeText(at('work', 'b.txt'), 'other\n', null));
    await assert.rejects(files.writeText(at('work', 'a.txt'), 'three\n', 'one\n'));
    assert.deepEqual(await readdir(at('drafts')), []);
    assert.deepEqual((await readdir(at('work'))).toSorted(), ['a.txt', 'b.txt']);
  });

  it('remove the draft of a dead process, and its record', async () => {
    const draft = ofDead(await draftName(at('work', '.a.txt')));
    await writeFile(draft, 'tw');
    await die(draft);
    await createDraftRecords(at('drafts')).clearUp(Date.now());
    assert.deepEqual([await readdir(at('drafts')), await readdir(at('work'))], [[], ['a.txt']]);
  });

  it('keep the draft of a living process', async () => {
    const draft = await draftName(at('work', '.a.txt'));
    await writeFile(draft, 'tw');
    const records = createDraftRecords(at('drafts'));
    const end = await records.begin(draft);
    await records.clearUp(Date.now());
    assert.equal((await readdir(at('work'))).length, 2);
    await end();
    assert.deepEqual(await readdir(at('drafts')), []);
  });

  it('remove no other file, whatever a record says', async () => {
    const draft = ofDead(await draftName(at('work', '.linked')));
    await symlink(at('work', 'a.txt'), draft);
    const folderDraft = ofDead(await draftName(at('work', '.folder')));
    await mkdir(folderDraft);
    const before = (await readdir(at('work'))).toSorted();
    for (const name of [at('work', 'a.txt'), draft, folderDraft, at('work', 'missing', path.basename(draft))])
      await die(name);
    for (const text of ['', '{"draft":', 'null', '{"draft":1}']) await die('', text);
    await writeFile(at('drafts', 'mine.txt'), 'not a record');
    await createDraftRecords(at('drafts')).clearUp(Date.now());
    assert.deepEqual((await readdir(at('work'))).toSorted(), before);
    assert.equal(await readFile(at('work', 'a.txt'), 'utf8'), 'one\n');
    assert.deepEqual(await readdir(at('drafts')), ['mine.txt']);
  });

  it('do not keep a file from being written where no record can be made', async () => {
    await writeFile(at('drafts'), 'a file where the folder should be');
    const records = createDraftRecords(at('drafts'));
    await createNodeFileSystem(records).writeText(at('work', 'a.txt'), 'two\n', 'one\n');
    await records.clearUp(Date.now());
    assert.equal(await readFile(at('work', 'a.txt'), 'utf8'), 'two\n');
  });
});

describe('the files of a program that was killed', () => {
  before(function () {
    // Elsewhere a start time is unknown, so a dead process is known by its number only.
    if (process.platform !== 'linux') this.skip();
  });

  it('lose their drafts with the next write into the folder, and nothing else', async () => {
    await using folder = await createTemporaryFolder({ 'a.txt': 'one\n', 'sub/b.txt': 'one\n' });
    const at = (name: string): string => path.join(folder.path, name);
    const draftOf = async (pid: number): Promise<string> =>
      (await draftName(at('.b.txt'))).replace(/\.\d+-\w*-/, `.${pid}-1-`);
    const living = await draftName(at('.c.txt'));
    const shown = path.join(folder.path, path.basename(await draftOf(1_073_741_823)).slice(1));
    await mkdir(await draftOf(1_073_741_822));
    for (const name of [await draftOf(1_073_741_824), living, shown, at('.d.tmp')]) await writeFile(name, 'tw');
    const before = await readdir(folder.path);
    const files = createNodePorts().fileSystem;
    await files.writeText(at('sub/b.txt'), 'two\n', 'one\n');
    assert.deepEqual(await readdir(folder.path), before);
    await files.writeText(at('a.txt'), 'two\n', 'one\n');
    const gone = before.filter((name) => name.startsWith('.b.txt.1073741824-'));
    assert.equal(gone.length, 1);
    assert.deepEqual(
      await readdir(folder.path),
      before.filter((name) => !gone.includes(name)),
    );
  });
});
