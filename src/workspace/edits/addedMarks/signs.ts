import { WHOLE_LINE, type FileLines } from '../fileLines';
import { isBlank, linesOf, textOf } from '../lineEnds';
import { alignLines } from '../replacement/alignLines';
import type { TextEdit } from '../textEdit';
import { isCode, isCodeLine } from './codeLines';
import { isSameText } from './sameText';

/** Words for the sign with which all lines of the new text begin, and no line of the file. */
export function signOf(file: FileLines, { oldText, newText }: TextEdit): string | undefined {
  const fresh = linesOf(newText).filter((line) => !isBlank(line));
  if (hasSignsBeforeMarks(linesOf(oldText), fresh) || keepsBehindSigns(linesOf(oldText), fresh)) return 'diff signs';
  const [sign] = fresh[0] ?? '';
  if (sign === undefined || !fresh.every((line) => line.startsWith(sign))) return undefined;
  const bodies = fresh.map((line) => line.slice(1));
  if (isSameText(textOf(bodies), oldText)) return undefined;
  if (isQuotedTwice(file, oldText, fresh)) return 'a mark before each line';
  // A line of the old text may itself begin with a dash or a plus sign. Here it is kept behind the added sign.
  const old = new Set(linesOf(oldText));
  if (sign === '+' && bodies.some((body) => !isBlank(body) && old.has(body))) return 'diff signs';
  // An item of a list stays one. Nobody writes a plus sign before its own mark.
  const isDiffOfItems = areItems([...old].map((line) => line.slice(1)));
  if (sign === '+' && areItems(bodies) && areItems([...old]) && !isDiffOfItems) return 'diff signs';
  const isMail =
    sign === '>' && (file.hasOneLine || isReply(oldText, newText) || isCode(file) || bodies.every(isCodeLine));
  const isDiff = sign === '+' && !bodies.some((body) => body.startsWith('+'));
  // Signs in both texts are a diff, which is read as one.
  const isQuoted = isDiff ? isSigned(oldText) : /^>/m.test(oldText);
  const isUsed = file.text.startsWith(sign) || file.text.includes(`\n${sign}`);
  // Changed lines of code do not become a quotation, where no line beside them is one.
  const isCodeAlone = isMail && isCode(file) && isReply(oldText, newText) && !hasBeside(file, oldText, sign);
  const isChangedAlone = isDiff && isChange(oldText, bodies) && !hasBeside(file, oldText, sign);
  const isKnown = isQuoted || (isUsed && !isCodeAlone && !isChangedAlone);
  if ((!isMail && !isDiff) || isKnown) return undefined;
  return isDiff ? 'diff signs' : 'a mark before each line';
}

/** Whether all old lines begin with the mark of a comment or an item, and all new ones have a sign of a diff before that mark. */
function hasSignsBeforeMarks(old: readonly string[], fresh: readonly string[]): boolean {
  const mark = /^(?:[^\w\s+]{2,}|[-*](?= ))/.exec(old[0] ?? '')?.[0];
  const bodies = fresh.map((line) => line.slice(1));
  return (
    mark !== undefined &&
    fresh.some((line) => line.startsWith('+')) &&
    fresh.every((line) => /^[+ ]/.test(line)) &&
    [...bodies, ...old].every((line) => isBlank(line) || line.startsWith(mark)) &&
    !isSameText(textOf(bodies), textOf(old))
  );
}

/** Whether all new lines have a sign of a diff, some of them before a quoted line, and none is a quoted line as it is. */
function keepsBehindSigns(old: readonly string[], fresh: readonly string[]): boolean {
  const known = new Set(old.filter((line) => /\w/.test(line)));
  const bodies = fresh.map((line) => line.slice(1));
  return (
    fresh.some((line) => line.startsWith('+')) &&
    fresh.every((line) => /^[+ ]/.test(line) && !known.has(line)) &&
    bodies.some((body) => known.has(body)) &&
    !isSameText(textOf(bodies), textOf(old))
  );
}

/** Whether a line beside the old text begins with a sign. `true` if the old text is no whole lines. */
function hasBeside(file: FileLines, oldText: string, sign: string): boolean {
  const old = linesOf(oldText);
  const [at] = file.find(old, WHOLE_LINE);
  return at === undefined || [at - 1, at + old.length].some((line) => file.contentOf(line).startsWith(sign));
}

function areItems(lines: readonly string[]): boolean {
  const solid = lines.filter((line) => !isBlank(line));
  return solid.length > 0 && solid.every((line) => /^\s*(?:[-*]|\d+[.)])\s/.test(line));
}

/**
 * Whether quote signs are before blank lines, before the indentation that the old text has, or before changed lines of it.
 * Behind other signs, words may be a new quotation.
 */
function isReply(oldText: string, newText: string): boolean {
  const [old, bodies] = [linesOf(oldText), linesOf(newText).map((line) => line.replace(/^> ?/, ''))];
  const solid = bodies.filter((line) => !isBlank(line));
  if (solid.length === 0) return true;
  const hasBlankEnd = isBlank(bodies.at(-1) ?? '') && !isBlank(linesOf(newText).at(-1) ?? '');
  const indentation = /^[ \t]+/.exec(oldText)?.[0];
  const isIndented =
    indentation !== undefined && (solid[0]?.startsWith(indentation) === true || /^>[ \t]{2,}/.test(newText));
  return hasBlankEnd || isIndented || alignLines(old, solid).every(({ kind }) => kind !== 'new');
}

/** Whether each new line is an old one, changed. An old line that begins with a blank may be a context line of a diff. */
function isChange(oldText: string, bodies: readonly string[]): boolean {
  const old = linesOf(oldText);
  return old.every((line) => /^\S/.test(line)) && alignLines(old, bodies).every(({ kind }) => kind !== 'new');
}

/** Whether a text may be one side of a diff: each line has a sign, not all of them the blank of a context line. */
function isSigned(text: string): boolean {
  return /^[-+>]/m.test(text) && linesOf(text).every((line) => isBlank(line) || /^[-+> ]/.test(line));
}

/** Whether all lines have two quote signs, where the quotation had one. */
function isQuotedTwice(file: FileLines, oldText: string, fresh: readonly string[]): boolean {
  const quoted = linesOf(oldText).filter((line) => !isBlank(line));
  return (
    fresh.some((line) => TWICE.test(line)) &&
    fresh.every((line) => TWICE.test(line) || line.trim() === '>') &&
    quoted.length > 0 &&
    quoted.every((line) => line.startsWith('>')) &&
    !TWICE.test(file.text)
  );
}

const TWICE = /^> ?>/m;
