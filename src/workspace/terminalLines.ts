import { stripTerminalControls } from '../util/text/terminalControls';

/** Terminal text without colours and cursor movements. An overwritten line keeps only its last version. */
export function cleanTerminalText(text: string): string {
  return stripTerminalControls(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** The last line that is not blank, cut to `maxChars`; empty if there is none. */
export function lastLineOf(text: string, maxChars: number): string {
  const line = cleanTerminalText(text).trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
}
