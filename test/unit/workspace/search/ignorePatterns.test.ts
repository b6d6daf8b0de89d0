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
    // One call of git for many folders, because starting it is slow.
    const cases = fc.sample(lists, { numRuns: 300 });
    const ours: string[] = [];
    for (const [index, [lines, files]] of cases.entries()) {
      const text = lines.join('\n');
      await fs.mkdir(join(top, `f${index}`));
      await fs.writeFile(join(top, `f${index}`, '.gitignore'), text);
      const rules = parseIgnoreRules(text);
      ours.push(...files.filter((file) => rules.test(file).ignored).map((file) => `f${index}/${file}`));
    }
    const theirs = ignoredByGit(
      top,
      cases.flatMap(([, files], index) => files.map((file) => `f${index}/${file}`)),
    );
    const onlyInOne = [ours.filter((file) => !theirs.includes(file)), theirs.filter((file) => !ours.includes(file))];
    const withRules = onlyInOne.map((files) =>
      files.map((file) => `${file} by ${JSON.stringify(cases[Number(/\d+/.exec(file)?.[0])]?.[0])}`),
    );
    assert.deepEqual(withRules, [[], []], 'ignored only here, ignored only by git');
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
