import { partsOf } from '../replacement/indentation';
import { isBlank, linesOf } from '../lineEnds';
import type { TextEdit } from './matcher';

/**
 * Reads an edit whose quote begins after the indentation of its line. With several quoted lines, the others show how the model
 * indents. With one line, the model may have left out the indentation of the first line or of all lines. `undefined` if
 * this is unclear.
 */
export function readBehindIndentation(edit: TextEdit, line: string): TextEdit | undefined {
  const { oldText, newText } = edit;
  if (linesOf(oldText).filter((quoted) => !isBlank(quoted)).length > 1) return edit;
  const actual = partsOf(line).indentation;
  const quoted = partsOf(linesOf(oldText)[0] ?? '').indentation;
  const [first = '', ...others] = newText.split(/\r?\n/);
  if (isBlank(oldText) || isBlank(first)) return edit;
  if (partsOf(first).indentation !== quoted) return undefined;
  const solid = others.filter((other) => !isBlank(other));
  if (solid.length === 0) return edit;
  const indentations = solid.map((other) => partsOf(other).indentation);
  const shallowest = indentations.reduce((a, b) => (b.length < a.length ? b : a));
  const next = indentations[0] ?? '';

  const isDeepEnough = shallowest.startsWith(actual);
  const opensBlock = /[:{([]\s*$|=>\s*$/.test(first);
  if (isDeepEnough) {
    if (opensBlock && next.length <= actual.length) return moved();
    // If the first line continues on the next, both readings are possible.
    if (first.trim() !== oldText.trim() && !/[;,)\]}\w"']$/.test(first.trimEnd())) return undefined;
    return /[=+*/&|?\\<.-]\s*$/.test(first) || /^[.?:&|+*=]/.test((solid[0] ?? '').trim()) ? undefined : edit;
  }
  return closesMore(newText) || !shallowest.startsWith(quoted) ? undefined : moved();

  /** Adds the missing indentation to all lines but the first, whose indentation is in the file. */
  function moved(): TextEdit {
    const missing = actual.slice(0, actual.length - quoted.length);
    const lines = others.map((other) => (isBlank(other) ? other : missing + other));
    return { oldText, newText: [first, ...lines].join('\n') };
  }
}

/** Whether a text closes brackets or blocks that it did not open. */
function closesMore(text: string): boolean {
  let depth = 0;
  for (const mark of text) {
    if ('{[('.includes(mark)) depth++;
    else if ('}])'.includes(mark) && --depth < 0) return true;
  }
  return /^(?:end|else|elif|except|finally|catch|<\/)/m.test(text);
}
