import assert from 'node:assert/strict';
import { safeTerminalText } from '../../../../src/cli/terminal/safeTerminalText';

describe('terminal text', () => {
  for (const [name, text, expected] of [
    ['leaves letters, line breaks and tabs as they are', 'Grüße\n\tשלום\u200f 👩‍💻', 'Grüße\n\tשלום\u200f 👩‍💻'],
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
});
