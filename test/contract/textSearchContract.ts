import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { TextQuery, TextSearch } from '../../src/workspace/ports';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';

/** What every `TextSearch` keeps to: the one on Node and the one with VS Code's ripgrep. */
export function describeTextSearchContract(name: string, make: () => TextSearch): void {
  describe(`${name} keeps the TextSearch contract`, () => {
    let search: TextSearch;
    let folder: TemporaryFolder;

    before(async () => {
      search = make();
      folder = await createTemporaryFolder({
        '.git/config': 'needle\n',
        '.gitignore': 'dist/\n*.log\n!keep.log\n',
        '.hidden/h.ts': 'needle hidden\n',
        '.ignore': 'b.ts\n',
        'a.ts': 'a needle\r\n',
        'b.ts': 'one\nNeedle two\nneedle three\n',
        'big.txt': `needle${'x'.repeat(2_000_000)}`,
        'binary.bin': new Uint8Array([...Buffer.from('needle\nneedle\n'), 0, 10]),
        'dist/.gitignore': 'skipped.ts\n',
        'dist/keep.log': 'needle logged\n',
        'dist/out.ts': 'needle built\n',
        'dist/skipped.ts': 'needle skipped\n',
        'drop.log': 'needle dropped\n',
        'keep.log': 'needle kept\n',
        'lib/z.TS': 'needle upper\n',
        'long.txt': `needle ${'y'.repeat(1000)}\n`,
        'node_modules/x/index.js': 'needle installed\n',
        'odd.txt': 'first\u2028needle -e --files "q" \\ $x\n',
        'src/.gitignore': 'generated.ts\n',
        'src/deep/c.tsx': 'const x = needle(1);\n',
        'src/generated.ts': 'needle generated\n',
        'src/node_modules/y/index.ts': 'needle nested\n',
        'src/ü ñ.ts': 'needle ümlaut ÜBER\n',
      });
      await symlink(folder.path, path.join(folder.path, 'src/loop'));
      await symlink('../a.ts', path.join(folder.path, 'src/link.ts'));
    });
    after(() => folder.dispose());

    async function find(query: Partial<TextQuery>, signal = new AbortController().signal): Promise<readonly string[]> {
      const { matches, isCut } = await search.search(
        { pattern: 'needle', isRegex: false, isCaseSensitive: false, path: folder.path, maxMatches: 100, ...query },
        { signal },
      );
      const lines = matches.map((match) => `${path.relative(folder.path, match.path)}:${match.line}:${match.text}`);
      return isCut ? [...lines, '(cut)'] : lines;
    }

    it('finds text in files that git does not ignore, a folder before its subfolders', async () => {
      assert.deepEqual(await find({}), [
        'a.ts:1:a needle',
        'b.ts:2:Needle two',
        'b.ts:3:needle three',
        'keep.log:1:needle kept',
        `long.txt:1:needle ${'y'.repeat(293)}…`,
        'odd.txt:1:first\u2028needle -e --files "q" \\ $x',
        '.hidden/h.ts:1:needle hidden',
        'lib/z.TS:1:needle upper',
        'src/ü ñ.ts:1:needle ümlaut ÜBER',
        'src/deep/c.tsx:1:const x = needle(1);',
      ]);
    });

    it('searches a folder that is ignored when it is named, by its own rules', async () => {
      assert.deepEqual(await find({ path: path.join(folder.path, 'dist') }), [
        'dist/keep.log:1:needle logged',
        'dist/out.ts:1:needle built',
      ]);
      assert.deepEqual(await find({ path: path.join(folder.path, 'node_modules/x') }), [
        'node_modules/x/index.js:1:needle installed',
      ]);
    });

    it('honours the ignore files above the folder that is searched', async () => {
      assert.deepEqual(await find({ path: path.join(folder.path, 'src') }), [
        'src/ü ñ.ts:1:needle ümlaut ÜBER',
        'src/deep/c.tsx:1:const x = needle(1);',
      ]);
    });

    it('honours ignore files where there is no repository, but none above', async () => {
      await using plain = await createTemporaryFolder({
        '.gitignore': '*.ts\n',
        'below/.gitignore': '*.log\n',
        'below/a.log': 'needle\n',
        'below/a.ts': 'needle\n',
      });
      const below = path.join(plain.path, 'below');
      const found = (await find({ path: below })).map((line) => line.slice(line.indexOf('below')));
      assert.deepEqual(found, ['below/a.ts:1:needle']);
      assert.deepEqual(await find({ path: plain.path }), []);
    });

    it('searches one file, whatever is ignored or included', async () => {
      assert.deepEqual(await find({ path: path.join(folder.path, 'a.ts') }), ['a.ts:1:a needle']);
      assert.deepEqual(await find({ path: path.join(folder.path, 'drop.log'), include: '*.ts' }), [
        'drop.log:1:needle dropped',
      ]);
      assert.deepEqual(await find({ path: path.join(folder.path, 'binary.bin') }), []);
    });

    it('returns paths below the path that was given, links in it included', async () => {
      await using other = await createTemporaryFolder();
      const link = path.join(other.path, 'link');
      await symlink(path.join(folder.path, 'src'), link);
      const outcome = await search.search(
        { pattern: 'const', isRegex: false, isCaseSensitive: false, path: link, include: 'deep/*', maxMatches: 9 },
        { signal: new AbortController().signal },
      );
      assert.deepEqual(outcome, {
        matches: [{ path: path.join(link, 'deep', 'c.tsx'), line: 1, text: 'const x = needle(1);' }],
        isCut: false,
      });
    });

    it('takes text literally, and regular expressions as such', async () => {
      assert.deepEqual(await find({ pattern: 'needle(' }), ['src/deep/c.tsx:1:const x = needle(1);']);
      const regex = { isRegex: true, include: '*.ts, *.tsx' };
      assert.deepEqual(await find({ ...regex, pattern: 'needle\\(\\d\\)' }), ['src/deep/c.tsx:1:const x = needle(1);']);
      assert.deepEqual(await find({ ...regex, pattern: '^a needle$' }), ['a.ts:1:a needle']);
      assert.deepEqual(await find({ ...regex, pattern: '(?i)NEEDLE TWO$', isCaseSensitive: true }), [
        'b.ts:2:Needle two',
      ]);
    });

    it('knows lookarounds and backreferences', async () => {
      assert.deepEqual(await find({ pattern: '(?<=const )(x) = needle(?=\\()', isRegex: true }), [
        'src/deep/c.tsx:1:const x = needle(1);',
      ]);
      assert.deepEqual(await find({ pattern: 'n(e)\\1dle three', isRegex: true }), ['b.ts:3:needle three']);
    });

    it('takes nothing in a pattern for an option, a line break or more than one pattern', async () => {
      assert.deepEqual(await find({ pattern: '-e --files "q" \\ $x' }), [
        'odd.txt:1:first\u2028needle -e --files "q" \\ $x',
      ]);
      assert.deepEqual(await find({ pattern: '--files' }), ['odd.txt:1:first\u2028needle -e --files "q" \\ $x']);
      assert.deepEqual(await find({ pattern: '-e', isRegex: true }), [
        'odd.txt:1:first\u2028needle -e --files "q" \\ $x',
      ]);
      assert.deepEqual(await find({ pattern: 'nothing\nneedle' }), []);
      assert.deepEqual(await find({ pattern: 'needle\0' }), []);
      assert.deepEqual(await find({ pattern: '\\<needle\\>', isRegex: true }), []);
    });

    it('takes no file name for an option', async () => {
      await using odd = await createTemporaryFolder({ '--files': 'needle\n' });
      await mkdir(path.join(odd.path, '-v'));
      const file = path.join(odd.path, '--files');
      const outcome = await search.search(
        { pattern: 'needle', isRegex: false, isCaseSensitive: false, path: file, maxMatches: 9 },
        { signal: new AbortController().signal },
      );
      assert.deepEqual(outcome, { matches: [{ path: file, line: 1, text: 'needle' }], isCut: false });
      assert.deepEqual(await find({ path: path.join(odd.path, '-v') }), []);
    });

    it('minds the case when asked', async () => {
      assert.deepEqual(await find({ pattern: 'Needle', isCaseSensitive: true }), ['b.ts:2:Needle two']);
      assert.deepEqual(await find({ pattern: 'über' }), ['src/ü ñ.ts:1:needle ümlaut ÜBER']);
    });

    it('understands globs with alternatives, paths, folders, exceptions and letters of either case', async () => {
      assert.deepEqual(await find({ include: 'src/**/*.{ts,tsx}' }), [
        'src/ü ñ.ts:1:needle ümlaut ÜBER',
        'src/deep/c.tsx:1:const x = needle(1);',
      ]);
      assert.deepEqual(await find({ include: 'a.ts' }), ['a.ts:1:a needle']);
      assert.deepEqual(await find({ include: './src/deep' }), ['src/deep/c.tsx:1:const x = needle(1);']);
      assert.deepEqual(await find({ include: 'lib/' }), ['lib/z.TS:1:needle upper']);
      assert.deepEqual(await find({ include: '*.ts, !src/**, !.hidden/**' }), [
        'a.ts:1:a needle',
        'b.ts:2:Needle two',
        'b.ts:3:needle three',
        'lib/z.TS:1:needle upper',
      ]);
      assert.deepEqual(await find({ include: '*.none' }), []);
    });

    it('does not bring back by a glob what is ignored', async () => {
      assert.deepEqual(await find({ include: '*.log' }), ['keep.log:1:needle kept']);
      assert.deepEqual(await find({ include: 'src/generated.ts' }), []);
      assert.deepEqual(await find({ include: 'node_modules/**' }), []);
    });

    it('stops at the limit, and says so only when there is more', async () => {
      const include = '/*.ts';
      assert.deepEqual(await find({ include, maxMatches: 1 }), ['a.ts:1:a needle', '(cut)']);
      assert.deepEqual(await find({ include, maxMatches: 2 }), ['a.ts:1:a needle', 'b.ts:2:Needle two', '(cut)']);
      assert.deepEqual(await find({ include, maxMatches: 3 }), [
        'a.ts:1:a needle',
        'b.ts:2:Needle two',
        'b.ts:3:needle three',
      ]);
    });

    it('rejects an invalid or empty pattern with a way out', async () => {
      await assert.rejects(
        find({ pattern: '(', isRegex: true }),
        /Unterminated group\. Correct the pattern, or set is_regex to false/,
      );
      await assert.rejects(find({ pattern: '' }), /The pattern is empty/);
    });

    it('rejects a path where nothing is', async () => {
      const missing = path.join(folder.path, 'missing');
      await assert.rejects(find({ path: missing }), (error: Error) => error.message.includes(missing));
    });

    it('stops when asked', async () => {
      await assert.rejects(find({}, AbortSignal.abort()), { name: 'AbortError' });
      const controller = new AbortController();
      const searching = find({}, controller.signal);
      controller.abort();
      await assert.rejects(searching, { name: 'AbortError' });
    });
  });
}
