import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineSplitter } from '../../../../src/sdk/session/lineSplitter';

function split(pieces: readonly Uint8Array[], maxBytes: number): { lines: readonly string[]; mostHeld: number } {
  const lines: string[] = [];
  const splitter = new LineSplitter(({ bytes, byteLength, isTorn }) => {
    lines.push(`${bytes?.toString('latin1') ?? 'too long'} ${byteLength}${isTorn ? ' torn' : ''}`);
  }, maxBytes);
  let mostHeld = 0;
  for (const piece of pieces) {
    splitter.push(piece);
    // The caller may reuse its memory.
    piece.fill(0x21);
    mostHeld = Math.max(mostHeld, splitter.heldBytes);
  }
  splitter.end();
  return { lines, mostHeld };
}

describe('LineSplitter', () => {
  it('gives the same lines for all pieces, and holds no more than its limit', () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.constant(0x0a) }, { weight: 5, arbitrary: fc.nat(255) });
    const piece = fc.array(byte, { maxLength: 40 }).map((bytes) => Uint8Array.from(bytes));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 0, max: 50 }), (pieces, maxBytes) => {
        const parts = Buffer.concat(pieces).toString('latin1').split('\n');
        const rest = parts.pop() ?? '';
        const shown = (text: string): string => `${text.length > maxBytes ? 'too long' : text} ${text.length}`;
        const expected = [...parts.map(shown), ...(rest === '' ? [] : [`${shown(rest)} torn`])];
        const { lines, mostHeld } = split(pieces, maxBytes);
        assert.deepEqual(lines, expected);
        assert.ok(mostHeld <= maxBytes);
      }),
      { numRuns: 500 },
    );
  });
});
