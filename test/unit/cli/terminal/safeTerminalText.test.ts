import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSafeTerminalStream } from '../../../../src/cli/terminal/safeTerminalStream';
import { safeTerminalText } from '../../../../src/cli/terminal/safeTerminalText';

describe('terminal text', () => {
  for (const [name, text, expected] of [
    ['leaves letters, line breaks and tabs as they are', 'Grüße\n\tשלום 👩‍💻', 'Grüße\n\tשלום 👩‍💻'],
    [
      'shows escape sequences instead of obeying them',
      '\u001b]52;c;eA==\u0007\u001b[2J',
      '<ESC>]52;c;eA==<BEL><ESC>[2J',
    ],
    ['shows the one-character form of those sequences', 'a\u009b2J', 'a<U+009B>2J'],
    ['lets nothing overwrite its line', 'rm -rf .\recho hi\r\nnext', 'rm -rf .\necho hi\nnext'],
    ['shows a backspace', 'ab\b', 'ab<BACKSPACE>'],
  ] as const) {
    it(name, () => {
      assert.equal(safeTerminalText(text), expected);
    });
  }

  it('lets no foreign control, bidirectional, zero-width or tag character through', () => {
    fc.assert(
      fc.property(foreignText, (text) => {
        const unsafe = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u202A-\u202E\u2060-\u206F\u{E0000}-\u{E007F}]/u;
        assert.doesNotMatch(safeTerminalText(text), unsafe);
      }),
    );
  });
});

describe('terminal text in pieces', () => {
  it('is shown as if it came in one', () => {
    fc.assert(
      fc.property(fc.array(foreignText, { maxLength: 6 }), (pieces) => {
        const stream = createSafeTerminalStream();
        const shown = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
        const unsafe = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u202A-\u202E\u2060-\u206F\u{E0000}-\u{E007F}]/u;
        assert.doesNotMatch(shown, unsafe);
      }),
    );
  });

  it('keeps joiners of words and emoji that arrive apart', () => {
    const stream = createSafeTerminalStream();
    const pieces = ['نمی', '\u200C', 'خواهم 👩', '\u200D💻 ❤', '\uFE0F x\r', '\ny \uD83D', '\uDE00\u200D'];
    const shown = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
    assert.equal(shown, 'نمی\u200Cخواهم 👩\u200D💻 ❤\uFE0F x\ny 😀<U+200D>');
  });
});

/** Letters, controls of both kinds, starts and ends of sequences, and characters that hide or reorder text. */
const foreignText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        '\u001b[31m',
        '\u001b]0;x\u0007',
        '\u001bP1$q\u001b\\',
        '\u001b_a',
        '\u001b^b',
        '\u001bXc',
        '\u009b2J',
      ),
      fc.constantFrom(
        '\u0090',
        '\u009c',
        '\u009d',
        '\u009e',
        '\u009f',
        '\u0098',
        '\u202e',
        '\u200b',
        '\u{e0041}',
        '\u200f',
        'a',
        '👩',
        '\r',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
