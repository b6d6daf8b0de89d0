import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandOutput } from '../../../../../src/workspace/node/commands/commandOutput';
import { createOutputFolder } from '../../../../../src/workspace/node/commands/outputFolder';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(12_000)]);

describe('CommandOutput', () => {
  let folder: TemporaryFolder;
  const outputs = (maxFileBytes = 1000, maxTotalBytes = 10_000) =>
    createOutputFolder(folder.path, { maxFileBytes, maxTotalBytes, maxAgeMs: 1000 });

  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(() => folder.dispose());

  function take(
    chunks: readonly (string | Buffer)[],
    options: { keepsAll?: boolean; kept?: ReturnType<typeof outputs>; maxHead?: number } = {},
  ) {
    const kept = options.kept ?? outputs();
    let streamed = '';
    const output = new CommandOutput({
      maxHead: options.maxHead ?? 20,
      maxTail: 20,
      folder: kept,
      keepsAll: options.keepsAll,
      onText: (text) => (streamed += text),
    });
    for (const chunk of chunks) output.append(Buffer.from(chunk));
    return { ...output.finish(), id: output.id, kept, streamed };
  }

  it('stores a long output in a file and names it', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    const { output, id, kept, omittedBytes } = take(lines);
    assert.ok(id !== undefined);
    assert.equal(omittedBytes, lines.join('').length - 40);
    assert.equal(
      output,
      `line 0\nline 1\nline 2\n[… ${omittedBytes} bytes left out; all of it: read_file "${id}" …]\n 17\nline 18\nline 19\n`,
    );
    assert.deepEqual(await kept.openText(id), { text: lines.join(''), isDirty: false });
    assert.equal((await stat(kept.fileOf(id) ?? '')).mode & 0o777, 0o600);
  });

  it('stores no short output', async () => {
    assert.deepEqual(
      { ...take(['short\n']), kept: 0 },
      { output: 'short\n', omittedBytes: 0, id: undefined, streamed: 'short\n', kept: 0 },
    );
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('replaces binary output by one line', () => {
    const { output, streamed } = take(['Here it is:\n', png, randomBytes(500)], { maxHead: 100 });
    assert.equal(output, 'Here it is:\n[binary, 13 kB, looks like a PNG image]\n');
    assert.equal(streamed, output);
  });

  it('treats NUL-separated names, letters of many alphabets and colours as text', () => {
    const names = 'src/first.ts\0src/second.ts\0docs/third.md\0';
    const letters = 'Grüße, 你好, привет, 🚀 — ok\n';
    const colours = '\u001b[31mred\u001b[0m \u001b[32mgreen\u001b[0m\n';
    for (const text of [names, letters, colours]) assert.equal(take([text]).streamed, text);
  });

  it('stores lines without colours and in their last state', async () => {
    const { id, kept } = take(['10 %\r', '50 %\r100 %\n\u001b[3', '1mred\u001b[0m\nno end'], { keepsAll: true });
    assert.equal((await kept.openText(id ?? '')).text, '100 %\nred\nno end');
  });

  it('limits the outputs on disk and removes old ones', async () => {
    const kept = outputs(100, 250);
    const { id } = take(['ü'.repeat(80), '\n', 'more\n'], { keepsAll: true, kept });
    assert.equal((await kept.openText(id ?? '')).text, `${'ü'.repeat(50)}\n[The rest was not stored.]\n`);
    const now = Date.now();
    for (const [name, ageMs] of [
      ['aaaaaaaa', 100],
      ['bbbbbbbb', 200],
      ['cccccccc', 5000],
    ] as const) {
      await writeFile(path.join(folder.path, `${name}.txt`), 'x'.repeat(120));
      await utimes(path.join(folder.path, `${name}.txt`), (now - ageMs) / 1000, (now - ageMs) / 1000);
    }
    await kept.prune(now);
    assert.deepEqual(
      (await readdir(folder.path)).sort(),
      [path.basename(kept.fileOf(id ?? '') ?? ''), 'aaaaaaaa.txt'].sort(),
    );
  });

  it('reads an output only by its name', () => {
    for (const id of ['output:../../etc', 'output:', 'output:0123456', '/etc/passwd', 'output:0123456g']) {
      assert.equal(outputs().fileOf(id), undefined, id);
    }
  });
});
