import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import type { TextQuery } from '../../../../../src/workspace/ports';
import { createNodeTextSearch } from '../../../../../src/workspace/node/search/nodeTextSearch';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('createNodeTextSearch', () => {
  const search = createNodeTextSearch({ regexTimeoutMs: 3000 });
  let folder: TemporaryFolder;

  before(async () => {
    folder = await createTemporaryFolder({
      '.gitignore': 'dist/\n*.log\n!keep.log\n',
      '.git/config': 'needle\n',
      'b.ts': 'one\nNeedle two\nneedle three\n',
      'a.ts': 'a needle\r\n',
      'keep.log': 'needle kept\n',
      'drop.log': 'needle dropped\n',
      'dist/out.ts': 'needle built\n',
      'node_modules/x/index.js': 'needle installed\n',
      'src/deep/c.tsx': 'const x = needle(1);\n',
      'src/.gitignore': 'generated.ts\n',
      'src/generated.ts': 'needle generated\n',
      'binary.bin': new Uint8Array([110, 101, 101, 100, 108, 101, 0]),
      'big.txt': `needle${'x'.repeat(2_000_000)}`,
      'long.txt': `needle ${'y'.repeat(1000)}\n`,
    });
    await symlink(folder.path, path.join(folder.path, 'src/loop'));
  });
  after(() => folder.dispose());

  async function find(query: Partial<TextQuery>): Promise<readonly string[]> {
    const { matches, isCut } = await search.search(
      { pattern: 'needle', isRegex: false, isCaseSensitive: false, path: folder.path, maxMatches: 100, ...query },
      { signal: new AbortController().signal },
    );
    const lines = matches.map((match) => `${path.relative(folder.path, match.path)}:${match.line}:${match.text}`);
    return isCut ? [...lines, '(cut)'] : lines;
  }

  it('finds text in files that git does not ignore, in the order of their names', async () => {
    assert.deepEqual(await find({ include: '*.ts, *.tsx, *.log, *.bin, big.txt' }), [
      'a.ts:1:a needle',
      'b.ts:2:Needle two',
      'b.ts:3:needle three',
      'keep.log:1:needle kept',
      'src/deep/c.tsx:1:const x = needle(1);',
    ]);
  });

  it('searches an ignored folder that is named', async () => {
    assert.deepEqual(await find({ path: path.join(folder.path, 'dist') }), ['dist/out.ts:1:needle built']);
  });

  it('obeys the ignore files above the searched folder', async () => {
    assert.deepEqual(await find({ path: path.join(folder.path, 'src') }), ['src/deep/c.tsx:1:const x = needle(1);']);
  });

  it('searches one file', async () => {
    assert.deepEqual(await find({ path: path.join(folder.path, 'a.ts') }), ['a.ts:1:a needle']);
  });

  it('searches text literally, or a regular expression', async () => {
    assert.deepEqual(await find({ pattern: 'needle(' }), ['src/deep/c.tsx:1:const x = needle(1);']);
    assert.deepEqual(await find({ pattern: 'needle\\(\\d\\)', isRegex: true }), [
      'src/deep/c.tsx:1:const x = needle(1);',
    ]);
    assert.deepEqual(await find({ pattern: '(?i)NEEDLE TWO$', isRegex: true, isCaseSensitive: true }), [
      'b.ts:2:Needle two',
    ]);
  });

  it('compares case if asked to', async () => {
    assert.deepEqual(await find({ pattern: 'Needle', isCaseSensitive: true }), ['b.ts:2:Needle two']);
  });

  it('accepts globs with alternatives and paths', async () => {
    assert.deepEqual(await find({ include: 'src/**/*.{ts,tsx}' }), ['src/deep/c.tsx:1:const x = needle(1);']);
    assert.deepEqual(await find({ include: 'a.ts' }), ['a.ts:1:a needle']);
  });

  it('stops at the limit and shortens long lines', async () => {
    assert.deepEqual(await find({ include: '*.ts', maxMatches: 2 }), ['a.ts:1:a needle', 'b.ts:2:Needle two', '(cut)']);
    assert.deepEqual(await find({ include: '*.ts', maxMatches: 3 }), [
      'a.ts:1:a needle',
      'b.ts:2:Needle two',
      'b.ts:3:needle three',
    ]);
    assert.deepEqual(await find({ include: 'long.txt' }), [`long.txt:1:needle ${'y'.repeat(293)}…`]);
  });

  it('rejects an invalid expression and says what to do', async () => {
    await assert.rejects(find({ pattern: '(', isRegex: true }), /Correct the pattern, or set is_regex to false/);
  });

  it('searches many files with one expression', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `f${100 + index}.ts`);
    await using many = await createTemporaryFolder(Object.fromEntries(names.map((name) => [name, 'one two\n'])));
    const found = await find({ path: many.path, pattern: 't\\w+$', isRegex: true });
    assert.equal(found.length, 100);
  });

  it('counts no line after the last line end', async () => {
    await using files = await createTemporaryFolder({ 'a.ts': 'x\n', 'b.ts': '', 'c.ts': '\n', 'd.ts': 'x\n\n' });
    const { matches } = await search.search(
      { pattern: '^$', isRegex: true, isCaseSensitive: true, path: files.path, maxMatches: 9 },
      { signal: new AbortController().signal },
    );
    assert.deepEqual(
      matches.map(({ path: file, line }) => `${path.basename(file)}:${line}`),
      ['c.ts:1', 'd.ts:2'],
    );
  });

  it('stops an expression that never ends', async () => {
    await using trap = await createTemporaryFolder({ 'trap.txt': `${'a'.repeat(60)}!` });
    await assert.rejects(find({ path: trap.path, pattern: '^(a+)+$', isRegex: true }), /takes too long/);
  });

  it('stops when asked', async () => {
    const query = { pattern: 'x', isRegex: true, isCaseSensitive: true, path: folder.path, maxMatches: 1 };
    await assert.rejects(search.search(query, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });
});
