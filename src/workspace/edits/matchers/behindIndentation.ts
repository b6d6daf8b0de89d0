import { partsOf } from '../replacement/indentation';
import { isBlank, linesOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';

interface Reading {
  readonly edit: TextEdit;
  /** The new text has the indentation of the first line, which is in the file before the quote. */
  readonly isFromLineStart: boolean;
}

interface IndentedPlace {
  /** The first line of the place. */
  readonly line: string;
  /** Its indentation before the quote. */
  readonly lead: string;
  /** The characters of indentation of the next line of the file that is not blank; 0 if there is none. */
  readonly depthAfter: number;
  /** This next line closes the block, so nothing else can follow behind it. */
  readonly isClosedAfter: boolean;
}

/**
 * Reads an edit whose quote begins after some indentation of its line, `lead`. The new text may repeat it or not. With one
 * quoted line, the model may have left out the indentation of the first line or of all lines. `undefined` if this is unclear.
 */
export function readBehindIndentation(edit: TextEdit, place: IndentedPlace): Reading | undefined {
  const { line, lead, depthAfter } = place;
  const { oldText, newText } = edit;
  const actual = partsOf(line).indentation;
  const quotedLines = linesOf(oldText);
  const quoted = partsOf(quotedLines[0] ?? '').indentation;
  const [first = '', ...others] = newText.split(/\r?\n/);
  const asIs = { edit, isFromLineStart: false };
  const asFile = { edit, isFromLineStart: true };
  if (isBlank(oldText)) return asIs;
  const isSeveral = quotedLines.filter((one) => !isBlank(one)).length > 1;
  // The quote begins at the end of a line of blanks. The new text may remove this line, or know nothing of it.
  if (quotedLines[0] === '' && lead !== '' && !isBlank(first)) return undefined;
  // The quote begins within a line of blanks, which the new text may write whole.
  if (isBlank(quotedLines[0] ?? '') && lead !== '' && isBlank(first) && first !== quotedLines[0])
    return first === lead + (quotedLines[0] ?? '') && first !== quotedLines[1] ? asFile : undefined;
  // The new text may have the whole indentation, or the part that the quote has.
  if (!isSeveral && quoted !== '' && isBlank(first)) return undefined;
  // A later line is written as in the quote or is not as deep, so the new text is not written as in the file.
  const isShallow = others.some(
    (other) => other === quotedLines[0] || (!isSeveral && !isBlank(other) && !other.startsWith(actual)),
  );
  if (isShallow && quoted !== actual && (isBlank(first) || partsOf(first).indentation !== quoted)) return undefined;
  // The first line may have lost the blanks of a blank line, as it lost its indentation, or others have theirs.
  const mayLackBlanks = !isBlank(quotedLines[0] ?? '') || others.some((other) => other !== '' && isBlank(other));
  if (first === '' && lead !== '' && mayLackBlanks) return undefined;
  // A new blank line must not keep the old indentation.
  if (isBlank(first)) return others.length > 0 && !isBlank(quotedLines[0] ?? '') ? asFile : asIs;
  const indentation = partsOf(first).indentation;
  if (indentation !== quoted) {
    // The other lines of the quote have the indentation of the file, so the new text has it too.
    return isSeveral || indentation === actual || indentation === lead + quoted ? asFile : undefined;
  }
  const known = new Set(quotedLines);
  // Other lines of the new text may lack a part of their indentation too.
  const mayLackMore = others.some((other) => !known.has(other) && /^[ \t]+\S/.test(other));
  if (quoted !== '' && (!isSeveral || mayLackMore)) return undefined;
  // A later line that is the quoted one would lose its indentation.
  if (isSeveral) return quoted !== actual && others.includes(quotedLines[0] ?? '') ? undefined : asIs;
  const solid = others.filter((other) => !isBlank(other));
  if (solid.length === 0) return asIs;
  const indentations = solid.map((other) => partsOf(other).indentation);
  const shallowest = indentations.reduce((a, b) => (b.length < a.length ? b : a));
  const next = indentations[0] ?? '';

  // The quoted line itself may be there at its depth in the file.
  const isKept = solid.some((other) => other.trim() === oldText.trim() && partsOf(other).indentation === actual);
  const isDeepEnough = shallowest.startsWith(actual);
  const opensBlock = /[:{([]\s*$|=>\s*$/.test(first);
  if (isDeepEnough) {
    // No block is so much deeper than the line that opens it.
    const isTooDeep = next.length - quoted.length > (next.includes('\t') ? 2 : 8);
    // A kept line may stand beside the new first line as well as below it.
    if (opensBlock && next.length <= actual.length) return isKept || isTooDeep ? undefined : moved();
    // The line may belong to the new item of a list that begins before it.
    const isItem = LIST_ITEM.test(first) && first.trim() !== oldText.trim() && !LIST_ITEM.test(solid[0] ?? '');
    if (isItem && !isKept && next.length <= actual.length) return undefined;
    // After such a word or tag a deeper line follows, in words for people any line.
    if (BEGINS_BY_WORD.test(first) && next.length <= actual.length) return undefined;
    // If the first line continues on the next, both readings are possible.
    if (first.trim() !== oldText.trim() && !/[;,)\]}\w"']$/.test(first.trimEnd())) return undefined;
    return /[=+*/&|?\\<.-]\s*$/.test(first) || /^[.?:&|+*=]/.test((solid[0] ?? '').trim()) ? undefined : asIs;
  }
  // After a blank line, something new may begin at the depth outside of the block.
  const mayLeaveBlock =
    depthAfter < actual.length &&
    depthAfter === shallowest.length &&
    others.some(
      (other, at) => isBlank(others[at - 1] ?? 'x') && partsOf(other).indentation === shallowest && !isBlank(other),
    );
  // In the frame of the quote, the line after it is deeper, though the quote begins nothing.
  const isUnfounded = next.length > quoted.length && !BEGINS.test(first);
  // Behind the last line of a block, which stays, a line outside of it may follow.
  const followsBlock = first.trim() === oldText.trim() && depthAfter === shallowest.length && !place.isClosedAfter;
  const endOfHereDocument = /<<[-~]?["']?(\w+)/.exec(newText)?.[1];
  return mayLeaveBlock ||
    followsBlock ||
    (isKept && shallowest !== quoted) ||
    isUnfounded ||
    closesMore(newText) ||
    (endOfHereDocument !== undefined && others.includes(endOfHereDocument)) ||
    !shallowest.startsWith(quoted) ||
    AT_LINE_START.test(solid[0] ?? '') ||
    // Only lines for a preprocessor and the like are not as deep. They are indented nowhere, so they show nothing.
    solid.every((other) => other.startsWith(actual) || AT_LINE_START.test(other))
    ? undefined
    : moved();

  /** Adds the missing indentation to all lines but the first, whose indentation is in the file. */
  function moved(): Reading {
    const missing = actual.slice(0, actual.length - quoted.length);
    const lines = others.map((other) => (isBlank(other) ? other : missing + other));
    return { edit: { oldText, newText: [first, ...lines].join('\n') }, isFromLineStart: false };
  }
}

/** A line that may be followed by a deeper one. */
const BEGINS =
  /[^\w\s"'`)\];}>]\s*$|\b(?:then|do|else|begin|of|where|try)\s*$|^\s*(?:\w+ )*(?:def|class|module|function|func|if|for|while|unless|case|when|switch)\b/;

const BEGINS_BY_WORD = /\b(?:then|do|else|begin|of|where|try)\s*$|<[A-Za-z][^<>]*(?<!\/)>\s*$/;

const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;

/** Lines of a template or for a preprocessor, and items of a list, are often not indented. */
const AT_LINE_START = /^(?:\{[{%]|<[%?]|#|---|[-*+] )/;

/** Whether a text closes brackets or blocks that it did not open. */
function closesMore(text: string): boolean {
  let depth = 0;
  for (const mark of text) {
    if ('{[('.includes(mark)) depth++;
    else if ('}])'.includes(mark) && --depth < 0) return true;
  }
  return /^(?:end|else|elif|except|finally|catch|<\/)/m.test(text);
}
