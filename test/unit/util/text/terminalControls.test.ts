import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stripTerminalControls } from '../../../../src/util/text/terminalControls';

describe('controls of a terminal in foreign text', () => {
  for (const [name, text, expected] of [
    ['leaves text alone', 'a\tb\nc', 'a\tb\nc'],
    ['removes colours', '\u001b[31mred\u001b[0m', 'red'],
    ['removes the 8-bit form', '\u009b31mred\u009b0m', 'red'],
    ['removes a title and a link', '\u001b]0;evil\u0007a \u001b]8;;https://x\u001b\\b\u001b]8;;\u001b\\', 'a b'],
    [
      'removes DCS, APC, PM and SOS',
      'a\u001bP1$q\u001b\\b\u001b_x\u001b\\c\u001b^y\u001b\\d\u001bXz\u001b\\e',
      'abcde',
    ],
    ['removes their 8-bit forms', 'a\u0090q\u009cb\u009fx\u009cc\u009ey\u009cd\u0098z\u009ce\u009dt\u009cf', 'abcdef'],
    ['keeps the text after a start without an end', '\u001bPall of this stays', 'all of this stays'],
    ['removes short sequences', '\u001b7a\u001b(Bb\u001bc', 'ab'],
  ] as const) {
    it(name, () => assert.equal(stripTerminalControls(text), expected));
  }

  it('removes no ordinary text outside of a sequence, and leaves no start of one', () => {
    const pieces = ['\u001b', '\u009b', '\u0090', '\u009c', '\u0007', '[', ']', 'P', '_', '\\', '1', ';', 'm'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const shown = stripTerminalControls(parts.join(''));
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(shown, /[\u001B\u0090\u0098\u009B-\u009F]/);
        assert.equal(
          stripTerminalControls(`plain ${'text '.repeat(3)}${parts.join('')}`).slice(0, 21),
          'plain text text text ',
        );
      }),
    );
  });
});
