import { stripVTControlCharacters } from 'node:util';

/** Text of a terminal without colours and cursor movements, and of a line that was written over only what was left on the screen. */
export function cleanTerminalText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** The last line with something on it, cut to `maxChars`; empty when there is none. */
export function lastLineOf(text: string, maxChars: number): string {
  const line = cleanTerminalText(text).trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
}
