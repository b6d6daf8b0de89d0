import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StopSequences } from '../../../../src/endpoint/chat/stopSequences';

describe('stop sequences', () => {
  it('cut a text before the first of them, however it comes in pieces', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
    const sequences = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 4 }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 10 }), sequences, (pieces, stop) => {
        const cut = new StopSequences(stop);
        const shown = pieces.map((piece) => cut.take(piece)).join('') + cut.rest();
        const whole = pieces.join('');
        const ends = stop.map((sequence) => whole.indexOf(sequence)).filter((index) => index >= 0);
        // A sequence that is complete counts before a longer one that is still coming.
        if (ends.length === 0) assert.equal(shown, whole);
        else {
          assert.ok(cut.hasStopped && whole.startsWith(shown));
          assert.ok(stop.every((sequence) => !shown.includes(sequence)));
          assert.ok(stop.some((sequence) => whole.startsWith(sequence, shown.length)));
        }
      }),
    );
  });
});
