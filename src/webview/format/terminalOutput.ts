import { stripTerminalControls } from '../../util/text/terminalControls';

/** The output as a terminal shows it: without colours and cursor moves, with lines overwritten after `\r`. */
export function terminalOutput(output: string): string {
  return stripTerminalControls(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
    .join('\n');
}
