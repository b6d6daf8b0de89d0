import { partsOf } from '../replacement/indentation';
import { isBlank, linesOf } from '../lineEnds';
import type { TextEdit } from './rung';

/**
 * The edit of a quote that begins behind the indentation of its line. With several quoted lines the others show how the
 * model indents. With one line it may have left the indentation off for the first line only, or for all; `undefined`
 * where both can be meant and differ.
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
    // A line that goes on in the next one could be indented either way.
    if (first.trim() !== oldText.trim() && !/[;,)\]}\w"']$/.test(first.trimEnd())) return undefined;
    return /[=+*/&|?\\<.-]\s*$/.test(first) || /^[.?:&|+*=]/.test((solid[0] ?? '').trim()) ? undefined : edit;
  }
  return closesMore(newText) || !shallowest.startsWith(quoted) ? undefined : moved();

  /** Every line but the first, whose indentation the file has, gets what the model left off. */
  function moved(): TextEdit {
    const missing = actual.slice(0, actual.length - quoted.length);
    const lines = others.map((other) => (isBlank(other) ? other : missing + other));
    return { oldText, newText: [first, ...lines].join('\n') };
  }
}

/** Whether a text closes brackets or blocks that it did not open: then its end belongs to what surrounds it. */
function closesMore(text: string): boolean {
  let depth = 0;
  for (const mark of text) {
    if ('{[('.includes(mark)) depth++;
    else if ('}])'.includes(mark) && --depth < 0) return true;
  }
  return /^(?:end|else|elif|except|finally|catch|<\/)/m.test(text);
}
