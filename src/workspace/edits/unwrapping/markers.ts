import { isBlank, linesOf, textOf } from '../lineEnds';
import type { TextEdit } from '../textEdit';

const START = /^(?:<{5,9} ?\w*|-{5,9} ?SEARCH)>?\s*$/;
const MIDDLE = /^={5,9}\s*$/;
const END = /^(?:>{5,9} ?\w*|\+{5,9} ?REPLACE)>?\s*$/;

/** Without the lines `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` around the texts. */
export function withoutMarkers({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const old = betweenMarks(linesOf(oldText));
  if (!START.test(old[0] ?? '')) return [];
  const middle = old.findIndex((line) => MIDDLE.test(line));
  const oldBody = old.slice(1, middle === -1 ? undefined : middle);
  const rest = middle === -1 ? [] : old.slice(middle + 1);
  const fresh = freshBody(betweenMarks(linesOf(newText)), oldBody);
  if (!fresh || hasMarkers(oldBody) || hasMarkers(fresh)) return [];
  const edit = { oldText: textOf(oldBody), newText: textOf(fresh) };
  if (rest.length === 0) return [edit];
  // The old text has both parts. The second one must be the new text.
  const isWhole = END.test(rest.at(-1) ?? '') && rest.slice(0, -1).join('\n').trim() === fresh.join('\n').trim();
  return isWhole ? [edit] : [];
}

/** Which of the three marks a line is. */
export function markerKindOf(line: string): 'start' | 'middle' | 'end' | undefined {
  if (START.test(line)) return 'start';
  if (MIDDLE.test(line)) return 'middle';
  return END.test(line) ? 'end' : undefined;
}

/** Without the blank lines before a first marker and after a last one. Blank lines between the markers are text. */
function betweenMarks(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  const [opening = '', closing = ''] = [lines[first], lines[last]];
  const opens = START.test(opening) || MIDDLE.test(opening);
  const closes = END.test(closing) || (MIDDLE.test(closing) && first < last);
  return lines.slice(opens ? first : 0, closes ? last + 1 : lines.length);
}

function freshBody(lines: readonly string[], oldBody: readonly string[]): readonly string[] | undefined {
  let body = lines;
  if (START.test(body[0] ?? '')) {
    const middle = body.findIndex((line) => MIDDLE.test(line));
    if (middle === -1 || body.slice(1, middle).join('\n').trim() !== oldBody.join('\n').trim()) return undefined;
    body = body.slice(middle);
  }
  if (MIDDLE.test(body[0] ?? '')) body = body.slice(1);
  return END.test(body.at(-1) ?? '') ? body.slice(0, -1) : body;
}

function hasMarkers(lines: readonly string[]): boolean {
  return lines.some((line) => markerKindOf(line) !== undefined);
}
