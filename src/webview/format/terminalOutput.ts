// Escape sequences: CSI, OSC (ended by BEL or ST), and the short ones.
// oxlint-disable-next-line no-control-regex
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])/g;

/** The output as a terminal shows it: without colours and cursor moves, with lines overwritten after `\r`. */
export function terminalOutput(output: string): string {
  return output
    .replaceAll(escapes, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n');
}
