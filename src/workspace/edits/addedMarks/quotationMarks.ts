import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank, linesOf } from '../lineEnds';
import { alignLines } from '../replacement/alignLines';
import type { TextEdit } from '../textEdit';
import { unescapeJson } from '../typography';
import { jsonOf } from '../unwrapping/quotationMarks';
import { isCode, isCodeLine } from './codeLines';
import { isSameText } from './sameText';

const MARK = /^(?:"{3}|'{3}|"(?!")|'(?!')|`(?!`))/;

/** Whether a quotation mark before the first line of the new text belongs to the one after the last. */
export function isInQuotationMarks(file: FileLines, edit: TextEdit): boolean {
  const { oldText, newText } = edit;
  if (keepsLineInJson(edit)) return true;
  const mark = MARK.exec(newText)?.[0];
  const text = newText.trimEnd();
  if (mark === undefined || !text.endsWith(mark) || oldText.startsWith(mark)) return false;
  const inner = text.slice(mark.length, -mark.length);
  if (isSameText(inner, oldText)) return false;
  const lines = linesOf(text);
  if (mark.length === 3 ? isDescription(file, mark, inner, linesOf(oldText)) : areComments(file, mark, lines))
    return false;
  // A file of one value, such as a version, has no quotation marks around it.
  if (lines.length < 2)
    return (
      mark.length === 3 ||
      file.hasOneLine ||
      isSameText(oldText, file.text) ||
      isChangedLine(file, inner, oldText) ||
      isLine(inner, oldText) ||
      (isCodeLine(inner) && isWhole(file, oldText) && !hasLineFrom(file, mark)) ||
      isBlock(file, edit)
    );
  const isLone = lines.at(-1)?.trim() === mark && !file.indexBy(WHOLE_LINE).idOf.has(mark);
  return isLone || [lines[0], lines.at(-1)].every((line) => (line?.split(mark).length ?? 0) % 2 === 0);
}

/** Whether the new text is a JSON string of several lines, of which one is a quoted line. */
function keepsLineInJson({ oldText, newText }: TextEdit): boolean {
  const text = jsonOf(newText) ?? '';
  const old = new Set(linesOf(oldText).filter((line) => !isBlank(line)));
  const lines = linesOf(text);
  return lines.length > 1 && lines.some((line) => old.has(line)) && !isSameText(text, oldText);
}

/**
 * Whether a text is no string but a line of code: it is a comment or sets a name as the old text does, begins with the
 * indentation of that, or ends with its mark.
 */
function isLine(text: string, oldText: string): boolean {
  const indentation = /^[ \t]+/.exec(oldText)?.[0];
  const mark = /[:;,{}()[\]]$/.exec(oldText.trimEnd())?.[0];
  return (
    /^\s*\/[/*]/.test(text) ||
    (SETTING.test(oldText) && SETTING.test(text)) ||
    (indentation !== undefined && unescapeJson(text).startsWith(indentation)) ||
    (mark !== undefined && text.trimEnd().endsWith(mark))
  );
}

/** Whether a line of the file begins with a mark. */
function hasLineFrom(file: FileLines, mark: string): boolean {
  return new RegExp(`^[ \\t]*${mark}`, 'm').test(file.text);
}

/** A line that sets a name, as `name: value` or `name = value`. */
const SETTING = /^\s*[\w.-]+(?:: \S| ?=)/;

/** Whether a text is a whole line of the file with a change, or with the mark that begins it. */
function isChangedLine(file: FileLines, text: string, oldText: string): boolean {
  const [old = '', ...others] = linesOf(oldText).filter((line) => !isBlank(line));
  if (others.length > 0 || file.find([old], WHOLE_LINE).length === 0) return false;
  const mark = /^[^\w\s]+ /.exec(old)?.[0];
  return (mark !== undefined && text.startsWith(mark)) || alignLines([old.trim()], [text.trim()])[0]?.kind !== 'new';
}

/** Whether one line in backticks stands for several lines of code. Such a string alone does nothing. */
function isBlock(file: FileLines, { oldText, newText }: TextEdit): boolean {
  return newText.startsWith('`') && linesOf(oldText).length > 1 && isWhole(file, oldText) && isCode(file);
}

/** Whether the file has the lines of a text. */
function isWhole(file: FileLines, text: string): boolean {
  return file.find(linesOf(text), WHOLE_LINE).length > 0;
}

/** Three marks around new lines only, in a file that has such marks elsewhere, or in the place of a comment with a hash. */
function isDescription(file: FileLines, mark: string, inner: string, old: readonly string[]): boolean {
  const isForComment = old.every((line) => isBlank(line) || /^\s*#/.test(line)) && !COMMENT.test(inner);
  const fresh = linesOf(inner).filter((line) => !isBlank(line));
  // In the old text, the lines before its own mark are code or comments.
  const markedLine = old.findIndex((line) => line.includes(mark));
  const code = (markedLine === -1 ? old : old.slice(0, markedLine)).filter((line) => !COMMENT.test(line));
  const keepsLine =
    fresh.some((line) => old.includes(line)) || alignLines(code, fresh).some(({ kind }) => kind !== 'new');
  return (file.text.includes(mark) || isForComment) && !keepsLine;
}

const COMMENT = /^\s*(?:#|\/[/*]|\*|--)/;

/** In some languages a quotation mark with a blank behind it begins a comment. */
function areComments(file: FileLines, mark: string, lines: readonly string[]): boolean {
  const beginsLines = file.text.startsWith(mark) || file.text.includes(`\n${mark}`);
  return beginsLines && lines.every((line) => line.trim() === mark || line.startsWith(`${mark} `));
}
