/**
 * Removes the sequences with which a program controls a terminal (ECMA-48), 7-bit and 8-bit: CSI, the strings APC, DCS,
 * OSC, PM and SOS with what they carry, and the short ones. The start of a sequence without an end is removed alone, so
 * that nothing hides the text after it. Takes time in proportion to the text.
 */
export function stripTerminalControls(text: string): string {
  return mayControl.test(text) ? text.replaceAll(sequences, '') : text;
}

// oxlint-disable-next-line no-control-regex
const mayControl = /[\u001B\u0080-\u009F]/;

const sequences = new RegExp(
  [
    // Strings: from their start to ST or BEL. They hold no other control of this kind.
    String.raw`(?:\u001B[PX\]^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u0080-\u009F]*(?:\u0007|\u001B\\|\u009C)`,
    String.raw`(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001B[ -/]*[0-~]`,
    // What is left of a sequence: removing one can put its neighbours together.
    String.raw`[\u001B\u0090\u0098\u009B-\u009F]`,
  ].join('|'),
  'g',
);
