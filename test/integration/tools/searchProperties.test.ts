import assert from 'node:assert/strict';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import type { TextQuery, TextSearch } from '../../../src/workspace/ports';
import { createNodeTextSearch } from '../../../src/workspace/node/search/nodeTextSearch';
import { createRipgrepTextSearch } from '../../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { installedRipgrep } from '../../support/leaks/installedRipgrep';

const { signal } = new AbortController();
const own = createNodeTextSearch({ regexTimeoutMs: 60_000 });
const noFallback: TextSearch = { search: () => Promise.reject(new Error('Ripgrep did not search.')) };

const names = fc.constantFrom(
  'a.ts',
  'B.TS',
  'x.ts',
  'lib',
  'src',
  'dist',
  '.hidden',
  'ü',
  'a b',
  'z.log',
  '-v',
  '[x]',
);
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const words = fc.constantFrom(
  ...[
    'foo',
    'Foo',
    'FOO_1',
    'bar',
    'über',
    'ÜBER',
    'ſ',
    'K',
    'k',
    's',
    'ß',
    'µ',
    'Μ',
    'σ',
    'ς',
    '😀',
    '漢字',
    'я',
    'Я',
  ],
  ...[
    ' ',
    '\t',
    '\r',
    '\u00a0',
    '\u2028',
    '\uFEFF',
    '(',
    ')',
    '"',
    "'",
    '\\',
    '.',
    '-',
    '_',
    '7',
    '42',
    'a=b;',
    '<',
    '>',
  ],
);
const lines = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(''));
const texts = fc
  .tuple(fc.array(lines, { maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r\r\n'), fc.boolean(), fc.nat(30))
  .map(
    ([all, end, hasEnd, odd]) => (odd === 0 ? '\0' : odd === 1 ? '\uFEFF' : '') + all.join(end) + (hasEnd ? end : ''),
  );
const rules = fc
  .array(
    fc.constantFrom(
      '*.log',
      '!z.log',
      'dist/',
      '/src',
      'lib/*',
      '!lib/a.ts',
      '*',
      '!*/',
      '.hidden',
      'x.ts',
      '#',
      '\\-v',
    ),
    {
      maxLength: 4,
    },
  )
  .map((all) => `${all.join('\n')}\n`);
const trees = fc
  .tuple(
    fc.array(fc.tuple(paths, texts), { maxLength: 12 }),
    fc.array(fc.tuple(fc.constantFrom('', 'src/', 'lib/', 'dist/'), rules), { maxLength: 2 }),
    fc.boolean(),
    fc.constantFrom('', '.ignore', '.rgignore', '.git/info/exclude'),
  )
  .map(([files, ignores, isRepository, extra]) => {
    const tree = new Map<string, string>();
    const add = (file: string, text: string): void => {
      const isTaken = [...tree.keys()].some(
        (other) => other === file || other.startsWith(`${file}/`) || file.startsWith(`${other}/`),
      );
      if (!isTaken) tree.set(file, text);
    };
    for (const [folder, text] of ignores) add(`${folder}.gitignore`, text);
    if (isRepository) add('.git/config', 'foo\n');
    if (extra !== '') add(extra, '*\n');
    for (const [file, text] of files) add(file, text);
    return tree;
  });

const atoms = fc.constantFrom(
  ...[
    'foo',
    'o',
    'bar',
    'ü',
    'Ü',
    'k',
    'K',
    's',
    'ſ',
    'µ',
    'σ',
    '😀',
    '漢',
    'я',
    ' ',
    '.',
    '\\.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
  ],
  ...[
    '\\b',
    '\\B',
    '^',
    '$',
    '[a-z]',
    '[^a-z]',
    '[^"]',
    '[\\w.-]',
    '[\\s\\S]',
    '[^]',
    '[]',
    '[ü-ý]',
    '[А-я]',
    '[a&&b]',
    '[a--b]',
    '[]a]',
  ],
  ...[
    '\\(',
    '\\"',
    '\\\\',
    '\\t',
    '\\r',
    '\\n',
    '\\0',
    '\\x41',
    '\\u0041',
    '\\u{2}',
    '\\cA',
    '\\c',
    '\\-',
    '\\/',
    '\\<',
    '\\>',
    '\\k',
    '\\p{L}',
  ],
  ...[
    '(?=o)',
    '(?!o)',
    '(?<=o)',
    '(?<!o)',
    '\\1',
    '{',
    '}',
    'a{,2}',
    ']',
    '-',
    '_',
    '"',
    '#',
    '/',
    '&',
    '~',
    '[[:alpha:]]',
    '[\\b]',
    '[\\d-z]',
  ],
);
const quantifiers = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?');
const sequences = fc
  .array(fc.tuple(atoms, quantifiers), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([atom, quantifier]) => atom + quantifier).join(''));
const { pattern: regexes } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    sequences,
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?i)'), tie('pattern'), quantifiers)
      .map(([open, inner, quantifier]) =>
        open === '(?i)'
          ? `(?i)${inner.replaceAll('(?i)', '')}`
          : `${open}${inner.replaceAll('(?i)', '').replaceAll('(?<n>', '(')})${quantifier}`,
      ),
    fc
      .tuple(tie('pattern'), tie('pattern'))
      .map(([one, other]) => `${one}|${other.replaceAll('(?i)', '').replaceAll('(?<n>', '(')}`),
  ),
}));
const queries = fc.record({
  search: fc.oneof(
    regexes.map((pattern) => ({ pattern, isRegex: true })),
    fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => ({ pattern: parts.join(''), isRegex: false })),
  ),
  isCaseSensitive: fc.boolean(),
  include: fc.constantFrom(undefined, '*.ts', '*.{ts,log}', 'src/**', '*.TS, !x.ts', 'lib', '[x]', '**/a.ts', '*'),
  maxMatches: fc.constantFrom(1, 3, 100),
  isUnwanted: fc.boolean(),
  folder: fc.constantFrom('', '', 'src', 'lib', 'dist'),
});

describe('Both text searches', () => {
  const ripgrepPath = installedRipgrep();
  const ripgrep = createRipgrepTextSearch({
    findRipgrep: () => Promise.resolve(ripgrepPath),
    fallback: noFallback,
    regexTimeoutMs: 60_000,
  });
  before(function () {
    if (ripgrepPath === undefined) this.skip();
  });

  it('give the same matches for generated files, ignore files, patterns and globs', async () => {
    const runs = Number(process.env['SEARCH_RUNS'] ?? 60);
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(trees, fc.array(queries, { minLength: 8, maxLength: 8 }), async (tree, asked) => {
        await using folder = await createTemporaryFolder(Object.fromEntries(tree));
        for (const name of ['src', 'lib', 'dist'])
          await mkdir(path.join(folder.path, name), { recursive: true }).catch(() => {});
        await symlink(folder.path, path.join(folder.path, 'link')).catch(() => {});
        for (const { search, isUnwanted, folder: below, ...rest } of asked) {
          const query: TextQuery = {
            ...search,
            ...rest,
            path: path.join(folder.path, below),
            isWanted: isUnwanted ? (file) => !file.includes('B.TS') : undefined,
          };
          const expected = await outcomeOf(own, query);
          // A pattern that only one of the two can read is no comparison.
          const actual = await outcomeOf(ripgrep, query);
          if (actual === 'Ripgrep did not search.') continue;
          assert.deepEqual(actual, expected, JSON.stringify({ ...query, tree: [...tree] }));
          compared += 1;
        }
      }),
      { numRuns: runs },
    );
    assert.ok(compared > runs * 6, `Ripgrep searched only ${compared} times.`);
  });

  it('take no pattern from the configuration of ripgrep', async () => {
    await using folder = await createTemporaryFolder({ 'a.ts': 'foo\n', rc: '--glob=!*.ts\n--files-without-match\n' });
    const before = process.env['RIPGREP_CONFIG_PATH'];
    process.env['RIPGREP_CONFIG_PATH'] = path.join(folder.path, 'rc');
    try {
      const query = { pattern: 'foo', isRegex: false, isCaseSensitive: true, path: folder.path, maxMatches: 9 };
      assert.deepEqual(await ripgrep.search(query, { signal }), await own.search(query, { signal }));
    } finally {
      if (before === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
      else process.env['RIPGREP_CONFIG_PATH'] = before;
    }
  });

  it('leave out a file that cannot be read', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    await using folder = await createTemporaryFolder({ 'a.ts': 'foo\n', 'b.ts': 'foo\n' });
    await chmod(path.join(folder.path, 'a.ts'), 0);
    const query = { pattern: 'foo', isRegex: false, isCaseSensitive: true, path: folder.path, maxMatches: 9 };
    assert.deepEqual(await ripgrep.search(query, { signal }), await own.search(query, { signal }));
  });
});

async function outcomeOf(search: TextSearch, query: TextQuery): Promise<unknown> {
  try {
    return await search.search(query, { signal });
  } catch (error) {
    return (error as Error).message;
  }
}
