import assert from 'node:assert/strict';
import { RepetitionWatch } from '../../../../../src/sdk/model/stream/repeatedText';

/** How much of the text had come when the watch saw a repetition, in pieces of four characters. */
function seenAfter(text: string): number | undefined {
  const watch = new RepetitionWatch(2_048);
  for (let at = 0; at < text.length; at += 4) if (watch.push(text.slice(at, at + 4))) return at + 4;
  return undefined;
}

const intro = 'The function reads the file, and then it does something else with every line of it: ';

describe('RepetitionWatch', () => {
  for (const [what, unit] of [
    ['a character', '\n'],
    ['a word', 'the '],
    ['a sentence', 'I will now check the file again to be sure. '],
    ['a paragraph', Array.from({ length: 40 }, (_, index) => `Point ${index} is done. `).join('')],
  ] as const) {
    it(`sees ${what} that comes again and again, soon after 2 kB, and keeps one`, () => {
      const text = intro + unit.repeat(Math.ceil(12_000 / unit.length));
      const after = seenAfter(text);
      assert.ok(
        after !== undefined && after - intro.length <= Math.max(2_048, 2 * unit.length) + unit.length + 516,
        `${after}`,
      );
      const watch = new RepetitionWatch(2_048);
      watch.push(text);
      assert.equal(watch.textOnce.trimEnd(), (intro + unit).trimEnd());
    });
  }

  const row = (index: number): string => `| ${index} | ${index * index} | passed | no remarks |\n`;
  const method = (name: string): string =>
    `  get${name}(): string {\n    const value = this.values.get('${name}');\n    if (value === undefined) throw new Error('No ${name}.');\n    return value;\n  }\n\n`;
  const block = Array.from({ length: 80 }, (_, index) => `const value${index} = read(${index});\n`).join('');
  const twins: readonly (readonly [string, string])[] = [
    ['a long table', Array.from({ length: 400 }, (_, index) => row(index)).join('')],
    ['long code of one pattern', Array.from({ length: 200 }, (_, index) => method(`Field${index}`)).join('')],
    ['a text of 2 kB that is said twice', block + block],
    ['1.9 kB of one character', `${intro}${'-'.repeat(1_900)}\n${intro}`],
    ['numbers', Array.from({ length: 2_000 }, (_, index) => `${index}, `).join('')],
  ];
  for (const [what, text] of twins) {
    it(`lets ${what} pass`, () => assert.equal(seenAfter(text), undefined));
  }

  it('reads a long text without repetition as fast as a short one', () => {
    const good = Array.from({ length: 5_000 }, (_, index) => `Line ${index} says ${index * 7}.\n`).join('');
    const bad = 'And again. '.repeat(300);
    assert.equal(seenAfter(good), undefined);
    assert.ok(seenAfter(good + bad));
  });
});
