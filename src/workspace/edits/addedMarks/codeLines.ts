import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank } from '../lineEnds';

/** Whether a line has marks that words for people seldom have: brackets, an assignment, or a string behind a word. */
export function isCodeLine(line: string): boolean {
  return /[{}()[\];=]|\/\/|\w (["'])[^"']*\1/.test(line);
}

/** Whether most lines of a file are code by their ends or their indentation: a mark before one is no mark of prose. */
export function isCode(file: FileLines): boolean {
  const { linesById } = file.indexBy(WHOLE_LINE);
  const solid = linesById.map(([line = 0]) => file.contentOf(line)).filter((line) => !isBlank(line));
  return solid.filter((line) => /^\s|[;{}(),:[\]>]$/.test(line)).length * 2 > solid.length;
}
