import assert from 'node:assert/strict';
import { matchesFileName, readFileNamePattern } from '../../../../../src/workspace/shell/patterns/fileNamePattern';

/** Every `*`, `?` and `[` counts, except after a backslash. */
function matches(written: string, name: string): boolean {
  const wildcards = new Set<number>();
  let text = '';
  for (const piece of written.match(/\\.|[^]/gu) ?? []) {
    if (/^[*?[]$/.test(piece)) wildcards.add(text.length);
    text += piece.replace(/^\\(?=.)/, '');
  }
  return matchesFileName(readFileNamePattern(text, wildcards), name);
}

describe('a file pattern', () => {
  const matching: readonly (readonly [string, string])[] = [
    ['*', 'a'],
    ['*.ts', 'a.ts'],
    ['*.ts', 'a.ts.ts'],
    ['a*', 'a'],
    ['**', 'ab'],
    ['a**b*c', 'a-b-b-c'],
    ['file?.md', 'file1.md'],
    ['?', '\u{1f600}'],
    ['[ab].txt', 'b.txt'],
    ['[a-c]', 'b'],
    ['[!a]', 'b'],
    ['[!a-c]', 'd'],
    ['[a-]', '-'],
    ['.*', '.env'],
    ['.e*', '.env'],
    ['\\**', '*x'],
    ['\\[a]', '[a]'],
    ['a*b', 'a\nb'],
  ];
  for (const [pattern, name] of matching) {
    it(`${pattern} matches ${JSON.stringify(name)}`, () => assert.equal(matches(pattern, name), true));
  }

  const other: readonly (readonly [string, string])[] = [
    ['*', '.env'],
    ['?env', '.env'],
    ['[.]env', '.env'],
    ['[!a]env', '.env'],
    ['*.ts', 'a.js'],
    ['*.ts', 'ats'],
    ['?', 'ab'],
    ['a?', 'a'],
    ['[ab]', 'c'],
    ['[!a-c]', 'b'],
    ['[c-a]', 'b'],
    ['[a]', 'A'],
    ['\\*', 'a'],
    ['a*b*c', 'a-b-b'],
  ];
  for (const [pattern, name] of other) {
    it(`${pattern} does not match ${JSON.stringify(name)}`, () => assert.equal(matches(pattern, name), false));
  }
});
