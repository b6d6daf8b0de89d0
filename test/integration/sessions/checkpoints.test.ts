import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findRestoreMove, planRestoreOf, type RestoreChoice } from '../../../src/agent/restore/planRestore';
import type { Checkpoint } from '../../../src/workspace/checkpoints/fileChange';
import { restoreFiles, type RestoreOutcome } from '../../../src/workspace/checkpoints/restoreFiles';
import { withCheckpoints } from '../../../src/workspace/checkpoints/withCheckpoints';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createFileContents } from '../../../src/workspace/node/checkpoints/fileContents';
import { removeEmptyFolders } from '../../../src/workspace/node/checkpoints/removeEmptyFolders';
import { createWorkspaceScanner, type ScanLimits } from '../../../src/workspace/node/checkpoints/workspaceScanner';
import type { CodeNavigation } from '../../../src/workspace/codeNavigation';
import { fakeNavigation } from '../../support/fakeNavigation';
import { tool } from '../../../src/sdk/tool';
import { createTools } from '../../../src/workspace/tools/createTools';
import type { JsonObject } from '../../../src/util/json';
import { callTool, type CallResult } from '../../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** The real tools on a real folder. */
function openWorkspace(
  folder: string,
  store: string,
  limits?: ScanLimits,
  ownFolder = store,
  codeNavigation?: CodeNavigation,
) {
  const recorded: Checkpoint[] = [];
  const errors: unknown[] = [];
  const roots = [{ name: 'w', path: folder }];
  const blobs = createBlobFolder(store);
  const { fileSystem, ...ports } = createNodePorts();
  const contents = createFileContents(fileSystem);
  const refusal: { error?: Error | undefined } = {};
  const record = async (checkpoint: Checkpoint): Promise<void> => {
    if (refusal.error) throw refusal.error;
    recorded.push(checkpoint);
  };
  const scanner = createWorkspaceScanner({ roots: () => roots, blobs, ownFolder, limits });
  const onInternalError = (error: unknown): void => void errors.push(error);
  const tools = createTools({ ports: { fileSystem, ...ports, codeNavigation }, roots: () => roots }).map((tool) =>
    withCheckpoints(tool, { blobs, contents, scanner, record, onInternalError }),
  );
  const plan = (since: readonly Checkpoint[] = recorded): Promise<readonly RestoreChoice[]> =>
    planRestoreOf(since, { contents, fileSystem, roots });
  return {
    recorded,
    errors,
    refusal,
    blobs,
    contents,
    plan,
    call: (name: string, input: JsonObject): Promise<CallResult> => callTool(tools, name, input),
    run: (command: string): Promise<CallResult> => callTool(tools, 'run_terminal_command', { command }),
    restore: async (choices?: readonly RestoreChoice[]): Promise<RestoreOutcome> =>
      restoreFiles(choices ?? (await plan()), 'before', {
        blobs,
        contents,
        record,
        findMove: (item) => findRestoreMove(item, { fileSystem, roots }),
        removeEmptyFolders: (file) => removeEmptyFolders(file, roots),
      }),
  };
}

describe('checkpoints', () => {
  let folder: TemporaryFolder;
  let store: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'a.txt': 'one\r\ntwo\r\n', 'b.txt': '\uFEFFb', '.gitignore': 'ignored\n' });
    store = await createTemporaryFolder();
  });
  afterEach(async () => {
    await folder.dispose();
    await store.dispose();
  });

  const at = (name: string): string => path.join(folder.path, name);
  const read = async (name: string): Promise<string | undefined> => {
    try {
      return await readFile(at(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const edit = (file: string, old_text: string, new_text: string) =>
    ['apply_edit', { path: file, edits: [{ old_text, new_text }] }] as const;

  it('stores a rename of several files as one step, and restores all of them', async () => {
    const files = { [at('a.ts')]: 'function total() {}\n', [at('b.ts')]: 'total();\ntotal();\n' };
    for (const [name, text] of Object.entries(files)) await writeFile(name, text);
    const navigation = fakeNavigation({ files });
    const workspace = openWorkspace(folder.path, store.path, undefined, undefined, navigation);
    await workspace.call('find_symbol', { symbol: 'total', find: 'rename to sum' });
    assert.deepEqual([await read('a.ts'), await read('b.ts')], ['function sum() {}\n', 'sum();\nsum();\n']);
    const steps = workspace.recorded.map(({ cause, label, changes }) => [cause, label, changes.map((one) => one.path)]);
    assert.deepEqual(steps, [['edit', 'Rename total to sum', [at('a.ts'), at('b.ts')]]]);
    await workspace.restore();
    assert.deepEqual([await read('a.ts'), await read('b.ts')], Object.values(files));
  });

  it('renames nothing when the files could not be stored', async () => {
    const files = { [at('a.ts')]: 'function total() {}\n', [at('b.ts')]: 'total();\n' };
    for (const [name, text] of Object.entries(files)) await writeFile(name, text);
    const navigation = fakeNavigation({ files });
    const workspace = openWorkspace(folder.path, store.path, undefined, undefined, navigation);
    workspace.refusal.error = new Error('disk full');
    const result = await workspace.call('find_symbol', { symbol: 'total', find: 'rename to sum' });
    assert.match(JSON.stringify(result), /a\.ts, b\.ts could not be stored .*disk full/);
    assert.deepEqual([await read('a.ts'), await read('b.ts')], Object.values(files));
  });

  it('restores edited files byte for byte, and deletes created files', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call(...edit('a.txt', 'two', 'zwei'));
    await workspace.call(...edit('a.txt', 'one', 'eins'));
    await workspace.call(...edit('b.txt', 'b', 'c'));
    await workspace.call('write_file', { path: 'sub/new.txt', content: 'new' });
    assert.deepEqual(
      [await read('a.txt'), await read('b.txt'), await read('sub/new.txt')],
      ['eins\r\nzwei\r\n', '\uFEFFc', 'new'],
    );

    assert.deepEqual(
      (await workspace.plan()).map(({ place, action, isChangedSince }) => [place.displayPath, action, isChangedSince]),
      [
        ['a.txt', 'write', false],
        ['b.txt', 'write', false],
        ['sub/new.txt', 'delete', false],
      ],
    );
    assert.deepEqual((await workspace.restore()).failed, []);
    assert.deepEqual(
      [await read('a.txt'), await read('b.txt'), await read('sub/new.txt')],
      ['one\r\ntwo\r\n', '\uFEFFb', undefined],
    );
  });

  it('restores a file that was edited through a link, and nothing through a link that came later', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await mkdir(at('real'));
    await writeFile(at('real/c.txt'), 'c');
    await symlink('real', at('link'));
    await workspace.call(...edit('link/c.txt', 'c', 'd'));
    await workspace.call(...edit('b.txt', 'b', 'c'));
    await rm(at('b.txt'));
    await symlink('a.txt', at('b.txt'));
    assert.deepEqual(
      (await workspace.plan()).map(({ place }) => place.displayPath),
      ['real/c.txt'],
    );
    assert.deepEqual((await workspace.restore()).failed, []);
    assert.deepEqual([await read('real/c.txt'), await read('a.txt')], ['c', 'one\r\ntwo\r\n']);
  });

  it('can undo a restore', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call(...edit('a.txt', 'two', 'zwei'));
    await workspace.call('write_file', { path: 'new.txt', content: 'new' });
    await workspace.restore();
    const [undone] = workspace.recorded.slice(-1);
    assert.ok(undone);
    await workspace.restore(await workspace.plan([undone]));
    assert.deepEqual([await read('a.txt'), await read('new.txt')], ['one\r\nzwei\r\n', 'new']);
  });

  it('keeps the old content of a file before the edit', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    workspace.refusal.error = new Error('ENOSPC: no space left on device');
    const result = await workspace.call(...edit('a.txt', 'two', 'zwei'));
    assert.deepEqual(result, {
      content:
        'The content of a.txt could not be stored for undoing the edit, so nothing was changed: ENOSPC: no space left on device',
      isError: true,
    });
    assert.equal(await read('a.txt'), 'one\r\ntwo\r\n');
  });

  it('corrects the record of an edit that did not happen', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    const { recorded } = workspace;
    // Someone else creates the file first.
    const push = recorded.push.bind(recorded);
    recorded.push = (...items) => {
      if (recorded.length === 0) writeFileSync(at('new.txt'), 'theirs');
      return push(...items);
    };
    await workspace.call('write_file', { path: 'new.txt', content: 'ours' });
    assert.deepEqual(
      recorded.map(({ changes }) => changes.map(({ before, after }) => [before?.size ?? null, after?.size ?? null])),
      [[[null, 4]], [[4, 6]]],
    );
    assert.equal(await read('new.txt'), 'theirs');
  });

  it('finds the files that a command created, changed, deleted and moved, including programs and binary files', async () => {
    await writeFile(at('run.sh'), '#!/bin/sh\n');
    await chmod(at('run.sh'), 0o755);
    await writeFile(at('picture.png'), new Uint8Array([0x89, 0, 1, 2]));
    await mkdir(at('ignored'));
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.run(
      'echo changed >> a.txt; rm run.sh; mv b.txt moved.txt; printf x >> picture.png; echo i > ignored/i; mkdir d; echo n > d/n',
    );
    const choices = await workspace.plan();
    assert.deepEqual(
      choices.map(({ place, action, movedFrom }) => [place.displayPath, action, movedFrom && path.basename(movedFrom)]),
      [
        ['a.txt', 'write', undefined],
        ['b.txt', 'create', 'moved.txt'],
        ['d/n', 'delete', undefined],
        ['moved.txt', 'delete', undefined],
        ['picture.png', 'write', undefined],
        ['run.sh', 'create', undefined],
      ],
    );
    assert.deepEqual(
      choices.map(({ cause }) => cause),
      Array(6).fill('command'),
    );
    assert.deepEqual((await workspace.restore()).failed, []);
    assert.deepEqual(
      [await read('a.txt'), await read('b.txt'), await read('moved.txt'), await read('d/n'), await read('ignored/i')],
      ['one\r\ntwo\r\n', '\uFEFFb', undefined, undefined, 'i\n'],
    );
    assert.deepEqual([...(await readFile(at('picture.png')))], [0x89, 0, 1, 2]);
    assert.equal((await stat(at('run.sh'))).mode & 0o111, 0o111);
    assert.deepEqual(workspace.errors, []);
  });

  it('removes folders that held only files of the agent, restores folders it removed, and undoes both', async () => {
    await mkdir(at('kept'));
    await writeFile(at('kept/ours.txt'), 'ours');
    await mkdir(at('gone/deep'), { recursive: true });
    await writeFile(at('gone/deep/x.txt'), 'x');
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call('write_file', { path: 'new/deep/a.txt', content: 'a' });
    await workspace.call('write_file', { path: 'kept/b.txt', content: 'b' });
    await workspace.run('rm -r gone; mkdir -p made/here; echo c > made/here/c.txt');
    const there = async (): Promise<readonly string[]> =>
      (await readdir(folder.path, { recursive: true })).filter((name) => !name.startsWith('.')).toSorted();
    const after = await there();
    assert.deepEqual((await workspace.restore()).failed, []);
    const before = ['a.txt', 'b.txt', 'gone', 'gone/deep', 'gone/deep/x.txt', 'kept', 'kept/ours.txt'];
    assert.deepEqual(await there(), before);
    await workspace.restore(await workspace.plan(workspace.recorded.slice(-1)));
    assert.deepEqual(await there(), after);
  });

  it('never removes a workspace folder', async () => {
    await using empty = await createTemporaryFolder();
    const workspace = openWorkspace(empty.path, store.path);
    await workspace.call('write_file', { path: 'only.txt', content: 'x' });
    await workspace.restore();
    assert.deepEqual(await readdir(empty.path), []);
  });

  it('restores the case of a name, and the name of a folder', async () => {
    await mkdir(at('src'));
    await writeFile(at('src/x.txt'), 'x');
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.run('mv a.txt A.txt; mv src lib');
    assert.deepEqual(
      (await workspace.plan()).map(({ place, action, movedFrom }) => [
        place.displayPath,
        action,
        movedFrom && path.basename(movedFrom),
      ]),
      [
        ['A.txt', 'delete', undefined],
        ['a.txt', 'create', 'A.txt'],
        ['lib/x.txt', 'delete', undefined],
        ['src/x.txt', 'create', 'x.txt'],
      ],
    );
    assert.deepEqual((await workspace.restore()).failed, []);
    assert.deepEqual((await readdir(folder.path)).toSorted(), ['.gitignore', 'a.txt', 'b.txt', 'src']);
    await workspace.restore(await workspace.plan(workspace.recorded.slice(-1)));
    assert.deepEqual((await readdir(folder.path)).toSorted(), ['.gitignore', 'A.txt', 'b.txt', 'lib']);
  });

  it('leaves out the files of the agent itself, however the folder was opened', async () => {
    const link = path.join(store.path, 'link');
    await symlink(folder.path, link);
    for (const opened of [folder.path, link]) {
      const own = path.join(folder.path, '.agent');
      const workspace = openWorkspace(opened, path.join(own, 'checkpoints'), undefined, own);
      await workspace.run('mkdir -p .agent/sessions && echo entry >> .agent/sessions/s.jsonl; echo more >> c.txt');
      const changed = workspace.recorded.flatMap(({ changes }) =>
        changes.map((change) => path.relative(opened, change.path)),
      );
      assert.deepEqual(changed, ['c.txt']);
    }
  });

  it('does not scan for a command that was judged to only read', async () => {
    let scans = 0;
    const scanner = {
      scan: () => {
        scans += 1;
        return Promise.resolve({ files: new Map(), isComplete: true });
      },
    };
    const { blobs, contents } = openWorkspace(folder.path, store.path);
    const checked = withCheckpoints(
      tool('run', 'Runs', {}, () => 'done'),
      {
        blobs,
        contents,
        scanner,
        record: () => Promise.resolve(),
        onInternalError: (error) => assert.fail(String(error)),
      },
    );
    const context = { toolUseId: '1', signal: new AbortController().signal, progress: () => {} };
    await checked.run({ kind: 'command', isReadOnly: true }, context);
    await checked.run({ kind: 'command', isBackground: true }, context);
    assert.equal(scans, 0);
    await checked.run({ kind: 'command' }, context);
    assert.equal(scans, 2);
  });

  it('records nothing for a command that changes nothing', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.run('cat a.txt');
    assert.deepEqual(workspace.recorded, []);
  });

  it('does not claim to know the changes of a command in a folder that is too large to scan', async () => {
    const workspace = openWorkspace(folder.path, store.path, { maxFiles: 2, maxFileBytes: 100, maxTotalBytes: 1_000 });
    await workspace.run('rm a.txt');
    assert.deepEqual([workspace.recorded, await read('a.txt')], [[], undefined]);
  });

  it('marks files the person changed since, and leaves a file that changes while they decide', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call(...edit('a.txt', 'two', 'zwei'));
    await workspace.call(...edit('b.txt', 'b', 'c'));
    await writeFile(at('a.txt'), 'mine');
    const choices = await workspace.plan();
    assert.deepEqual(
      choices.map(({ place, isChangedSince }) => [place.displayPath, isChangedSince]),
      [
        ['a.txt', true],
        ['b.txt', false],
      ],
    );
    await writeFile(at('b.txt'), 'mine too');
    const outcome = await workspace.restore(choices);
    assert.deepEqual(outcome.failed, [{ path: at('b.txt'), message: 'It was changed in the meantime.' }]);
    // The person had agreed.
    assert.deepEqual([await read('a.txt'), await read('b.txt')], ['one\r\ntwo\r\n', 'mine too']);
    await workspace.restore(await workspace.plan(workspace.recorded.filter(({ cause }) => cause === 'restore')));
    assert.equal(await read('a.txt'), 'mine');
  });

  it('changes nothing if the current content cannot be kept', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call(...edit('a.txt', 'two', 'zwei'));
    const choices = await workspace.plan();
    workspace.refusal.error = new Error('EROFS');
    await assert.rejects(workspace.restore(choices), /EROFS/);
    assert.equal(await read('a.txt'), 'one\r\nzwei\r\n');
  });

  it('reports when the old content of a file is gone', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    await workspace.call(...edit('a.txt', 'two', 'zwei'));
    const choices = await workspace.plan();
    const later = createBlobFolder(store.path);
    await later.prune({ maxAgeMs: -1, maxBytes: 0 }, Date.now());
    const outcome = await workspace.restore(choices);
    assert.deepEqual(outcome.failed, [{ path: at('a.txt'), message: 'Its earlier content is no longer stored.' }]);
    assert.equal(await read('a.txt'), 'one\r\nzwei\r\n');
    // The edit was announced and did not happen, so undoing it would change nothing.
    assert.deepEqual(await workspace.plan(workspace.recorded.filter(({ cause }) => cause === 'restore')), []);
  });

  it('changes nothing outside the workspace, whatever a session file says', async () => {
    const workspace = openWorkspace(folder.path, store.path);
    const outside = await createTemporaryFolder({ 'x.txt': 'theirs' });
    await symlink(outside.path, at('link'));
    const state = { hash: '0'.repeat(64), size: 1, isExecutable: false };
    const changes = [path.join(outside.path, 'x.txt'), at('link/x.txt'), at('../x.txt'), 'a.txt'].map((file) => ({
      path: file,
      before: null,
      after: state,
    }));
    assert.deepEqual(await workspace.plan([{ cause: 'edit', label: '', changes }]), []);
    assert.equal(await readFile(path.join(outside.path, 'x.txt'), 'utf8'), 'theirs');
    await outside.dispose();
  });
});
