import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createBriefMatch } from '../../../../../src/workspace/node/search/briefMatch';
import { linesOf } from '../../../../../src/workspace/node/search/matchedLines';

/** However busy the machine is. */
const long = { call: 600_000, total: 600_000 };

describe('createBriefMatch', () => {
  it('finds the lines that match', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '\u2028') }), {
      maxLength: 5,
    });
    const expressions = fc.constantFrom(/a/, /^$/, /b$/, /A|^\r/i, /(?<=a)b/);
    fc.assert(
      fc.property(texts, expressions, (given, regex) => {
        const expected = given.map((text) => linesOf(text).flatMap((line, at) => (regex.test(line) ? [at] : [])));
        assert.deepEqual(createBriefMatch(regex, long)(given), expected);
      }),
    );
  });

  for (const [name, regex, text] of [
    ['an expression that never ends', /^(a+)+$/, `${'a'.repeat(60)}b`],
    ['one that takes long in a long line', /x*x*x*y/, 'x'.repeat(100_000)],
    ['one that takes much memory', /(?:a|b)*c/, 'ab'.repeat(5_000_000)],
    ['very many lines', /a/, 'b\n'.repeat(5_000_000)],
  ] as const) {
    it(`gives up ${name}, and has no time from then on`, () => {
      const match = createBriefMatch(regex, { call: 5, total: 50 });
      assert.equal(match([text]), undefined);
      assert.equal(match(['a']), undefined);
      assert.deepEqual(createBriefMatch(/a/, long)(['a']), [[0]]);
    });
  }
});
