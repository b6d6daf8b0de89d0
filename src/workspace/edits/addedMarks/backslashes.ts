import type { FileLines } from '../fileLines';
import { linesOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';
import { rawStringsIn } from '../typography';
import { isSameText } from './sameText';

/** Whether the new text doubles all its backslashes by mistake, where the old text has single ones. */
export function hasDoubledBackslashes(file: FileLines, edit: TextEdit): boolean {
  const { oldText, newText } = edit;
  const isDoubled = newText.includes('\\') && !newText.replaceAll('\\\\', '').includes('\\');
  if (!isDoubled || !/(?<!\\)\\(?!\\)/.test(oldText)) return false;
  const hasNone = [oldText, file.text].every((text) => !text.includes('\\\\'));
  return hasNone || doublesCommand(edit) || doublesLines(edit);
}

/** Whether a line begins with a command of the old text, as TeX has them, behind one more backslash. */
function doublesCommand({ oldText, newText }: TextEdit): boolean {
  if (/^\\\\/m.test(oldText) || isSameText(halved(newText), oldText)) return false;
  const commands = new Set(linesOf(oldText).flatMap((line) => commandOf(line) ?? []));
  return linesOf(newText).some((line) => line.startsWith('\\\\') && commands.has(commandOf(halved(line)) ?? ''));
}

/** Whether several quoted lines come doubled beside another change. Beside a string that becomes raw, one line is enough. */
function doublesLines({ oldText, newText }: TextEdit): boolean {
  const old = new Set(linesOf(oldText));
  const doubled = linesOf(newText).filter((line) => !old.has(line) && old.has(halved(line)));
  const fewest = rawStringsIn(newText) > rawStringsIn(oldText) ? 1 : 2;
  return doubled.length >= fewest && !isSameText(halved(newText), halved(oldText));
}

function halved(text: string): string {
  return text.replaceAll('\\\\', '\\');
}

/** The command with which a line begins. */
function commandOf(line: string): string | undefined {
  return /^\\[A-Za-z]{2,}/.exec(line)?.[0];
}
