import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateTokens } from '../../../../../src/sdk/context/tokenCount';
import { boundedContent, boundedText, MAX_RESULT_TOKENS } from '../../../../../src/sdk/run/toolCalls/boundedResult';

/** The note that replaces the middle has a few tokens of its own. */
const LIMIT = MAX_RESULT_TOKENS + 40;

describe('boundedContent', () => {
  it('keeps what is short', () => {
    const object = { lines: ['a', 'b'] };
    assert.equal(boundedContent(object), object);
    assert.equal(boundedContent('short'), 'short');
  });

  for (const [what, text] of [
    ['one line of 50 MB', 'x'.repeat(50_000_000)],
    ['ten million lines', '\n'.repeat(10_000_000)],
    ['Chinese text', '漢字'.repeat(20_000)],
    ['emoji', '😀'.repeat(20_000)],
    ['wide text behind plain text', 'x'.repeat(21_000) + '漢'.repeat(1_000_000)],
  ] as const) {
    it(`cuts ${what} to about ${MAX_RESULT_TOKENS} tokens`, () => {
      const bounded = boundedText(text);
      assert.ok(estimateTokens(bounded) <= LIMIT, String(estimateTokens(bounded)));
      assert.equal(bounded.isWellFormed(), true);
      assert.match(bounded, /characters were left out here/);
      assert.equal(bounded.slice(0, 1_000), text.slice(0, 1_000));
      assert.equal(bounded.slice(-1_000), text.slice(-1_000));
    });
  }

  it('makes text of an object that is cut', () => {
    const bounded = boundedContent({ text: 'x'.repeat(100_000) });
    assert.equal(typeof bounded, 'string');
    assert.ok(estimateTokens(bounded as string) <= LIMIT);
  });

  it('holds for every mixture of scripts and every length', () => {
    const piece = fc.tuple(fc.constantFrom('a', '漢', '😀', '\n', 'é'), fc.integer({ min: 0, max: 60_000 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = pieces.map(([character, count]) => character.repeat(count)).join('');
        const bounded = boundedText(text);
        assert.ok(estimateTokens(bounded) <= LIMIT);
        if (estimateTokens(text) <= MAX_RESULT_TOKENS) assert.equal(bounded, text);
      }),
      { numRuns: 100 },
    );
  });
});
