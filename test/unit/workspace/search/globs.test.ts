import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expandAlternatives, findGlobProblem, matchesGlob } from '../../../../src/workspace/search/globs';

describe('expandAlternatives', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['*.ts', ['*.ts']],
    ['*.{ts,tsx}', ['*.ts', '*.tsx']],
    ['*.ts, ./src/*.tsx', ['*.ts', 'src/*.tsx']],
    ['{a,b}/{c, d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{,a}b', ['b', 'ab']],
    ['a{b', ['a{b']],
    ['a}b', ['a}b']],
    ['a{b,{c,d}', ['a{b', 'c', 'd']],
  ];
  for (const [glob, expected] of cases) {
    it(`expands ${glob}`, () => assert.deepEqual(expandAlternatives(glob), expected));
  }

  it('gives the same alternatives as replacing the innermost braces first', () => {
    const glob = fc.array(fc.constantFrom('{', '}', ',', ' ', 'a', 'b', '*', './'), { maxLength: 12 });
    fc.assert(
      fc.property(glob, (parts) => {
        const text = parts.join('');
        assert.deepEqual(new Set(expandAlternatives(text)), new Set(replaceInnermostFirst(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  const tooMany: readonly [string, string, RegExp | undefined][] = [
    ['repeated braces', '{a,b}'.repeat(30), /^The pattern "\{a,b\}.*…" stands for more than 500 patterns\. Use fewer/],
    ['repeated braces in braces', `{${'{a,b}'.repeat(30)}}`, /more than 500 patterns/],
    ['a long list', `{${'a,'.repeat(499)}}`, undefined],
    ['a list that is too long', `${'a,'.repeat(490)}{b,c}{d,e}{f,g}{h,i}`, /more than 500 patterns/],
    ['a very long glob', 'a'.repeat(1_001), /^The pattern "a{60}…" is longer than 1,000 characters\./],
    ['deeply nested braces', '{'.repeat(400) + 'a,b' + '}'.repeat(400), undefined],
  ];
  for (const [name, glob, problem] of tooMany) {
    it(`${problem === undefined ? 'accepts' : 'refuses'} ${name}`, () => {
      const found = findGlobProblem(glob);
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    });
  }

  it('bounds the alternatives of any glob', () => {
    const glob = fc.array(fc.constantFrom('{', '}', ',', 'a', '{a,b}', '{a,{b,c}}', 'x'.repeat(50)), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(glob, (parts) => {
        const text = parts.join('');
        if (findGlobProblem(text) !== undefined) return;
        const alternatives = expandAlternatives(text);
        assert.ok(alternatives.length <= 500);
        assert.ok(alternatives.every((alternative) => alternative.length <= text.length));
      }),
    );
  });
});

describe('matchesGlob', () => {
  const cases: readonly [path: string, glob: string, expected: boolean][] = [
    ['src/a.ts', '*.ts', true],
    ['src/a.ts', 'src', true],
    ['src/a.ts', 'src/**', true],
    ['src/a.ts', '/a.ts', false],
    ['src/deep/a.ts', 'src/*.ts', false],
    ['src/deep/a.ts', 'src/**/*.ts', true],
    ['src/a.ts', 'src/**/*.ts', true],
    ['src/a.tsx', '*.{js,ts}', false],
    ['a.ts', '!*.ts', false],
    ['[id].ts', String.raw`\[id\].ts`, true],
  ];
  for (const [path, glob, expected] of cases) {
    it(`${expected ? 'matches' : 'does not match'} ${path} with ${glob}`, () =>
      assert.equal(matchesGlob(path, glob), expected));
  }
});

/** The earlier implementation, without limits. */
function replaceInnermostFirst(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (!braces)
    return glob
      .split(',')
      .map((part) => part.trim().replace(/^\.\//, ''))
      .filter(Boolean);
  const before = glob.slice(0, braces.index);
  const after = glob.slice(braces.index + braces[0].length);
  return (braces[1] ?? '').split(',').flatMap((choice) => replaceInnermostFirst(`${before}${choice.trim()}${after}`));
}
