import { Slices } from '../../../util/slices/slices';
import { createBriefMatch } from './briefMatch';
import { linesOf, type LineMatcher, type LineNumbers } from './matchedLines';
import { createMatchThread } from './matchThread';

/**
 * A trusted expression (literal text) runs here. Any other may never end, such as `(a+)+$`. It runs here for a few
 * milliseconds, which is enough for most searches, and then in a thread, which can be ended and takes long to start.
 */
export function createLineMatcher(
  regex: RegExp,
  { isTrusted, timeoutMs }: { readonly isTrusted: boolean; readonly timeoutMs: number },
): LineMatcher {
  if (isTrusted) {
    return {
      match: (texts, signal) => literalLinesOfAll(texts, regex, signal),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const briefMatch = createBriefMatch(regex);
  const thread = createMatchThread(regex, timeoutMs);
  return {
    match: async (texts, signal) => briefMatch(texts) ?? thread.match(texts, signal),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

async function literalLinesOfAll(
  texts: readonly string[],
  regex: RegExp,
  signal: AbortSignal,
): Promise<readonly LineNumbers[]> {
  const slices = new Slices();
  const found: LineNumbers[] = [];
  for (const text of texts) {
    found.push(literalLines(text, regex));
    if (slices.isOver()) await slices.pause(signal);
  }
  return found;
}

function literalLines(text: string, regex: RegExp): LineNumbers {
  // Most files have no match. One search of the whole text is much faster than one of each line.
  if (!regex.test(text)) return [];
  return linesOf(text).flatMap((line, index) => (regex.test(line) ? [index] : []));
}
