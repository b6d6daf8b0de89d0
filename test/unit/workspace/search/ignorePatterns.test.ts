import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseIgnoreRules } from '../../../../src/workspace/search/ignorePatterns';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

describe('parseIgnoreRules', () => {
  it('ignores the same files as git', async function () {
    this.timeout(120_000);
    await using folder = await createTemporaryFolder();
    const top = folder.path;
    execFileSync('git', ['init', '--quiet', top]);
    const word = fc.constantFrom(
      ...['a', 'b', 'ab', '*', '**', '?', 'a*', '*b', 'a**b', '[ab]', '[!a]', '[^a]', '[a-b]', '[[:alpha:]]'],
      ...['\\a', '\\*', 'a\\', '[\\]]', '{a,b}', 'a b', '.a', '-', '!', '#'],
    );
    // Git lets brackets go on behind a slash. Nobody writes that, and here they end at it.
    const openBrackets = fc.constantFrom('[', '[]', 'a[', 'x/[]', '[!', '[a-', '[[:alpha:]', '[\\]');
    const path = fc
      .tuple(
        fc.constantFrom('', '', '', '!', '/', '!/', '#', ' '),
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '', '/', ' ', '\\ ', '/**', '  '),
      )
      .map(([start, words, end]) => `${start}${words.join('/')}${end}`);
    const line = fc.oneof({ weight: 9, arbitrary: path }, openBrackets);
    const name = fc.constantFrom('a', 'b', 'ab', 'aab', 'x', '*', '.a', 'a b', ']', '[', '-', 'a ', '!', '#', '{a,b}');
    const file = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const lists = fc.tuple(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.array(file, { minLength: 20, maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(lists, async ([lines, files]) => {
        await fs.writeFile(join(top, '.gitignore'), lines.join('\n'));
        const rules = parseIgnoreRules(lines.join('\n'));
        const ours = files.filter((each) => rules.test(each).ignored);
        assert.deepEqual(ours, ignoredByGit(top, files), lines.join('\n'));
      }),
      { numRuns: 100 },
    );
  });

  it('ignores no file by lines of many stars, in few steps', () => {
    const name = 'a'.repeat(250);
    const deep = Array.from({ length: 100 }, () => name.slice(0, 20)).join('/');
    const hostile = [
      `${'*a'.repeat(120)}b`,
      `${'**/a*/'.repeat(100)}b`,
      `${'**/'.repeat(300)}b`,
      `${'*'.repeat(500)}b`,
      `${'?*'.repeat(200)}b`,
      `${'[a-z]*'.repeat(150)}b`,
      `${'['.repeat(400)}`,
      `${'[[:alpha:]]*'.repeat(80)}b`,
    ];
    for (const line of hostile) {
      const rules = parseIgnoreRules([line]);
      assert.equal(rules.test(name).ignored, false);
      assert.equal(rules.test(deep).ignored, false);
    }
  });
});

function ignoredByGit(top: string, files: readonly string[]): readonly string[] {
  try {
    const output = execFileSync('git', ['check-ignore', '--no-index', '--stdin', '-z'], {
      cwd: top,
      input: files.join('\0'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return output.toString().split('\0').slice(0, -1);
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}
