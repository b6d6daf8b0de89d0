/** Finds the lines of texts that match one regular expression. */
export interface LineMatcher extends AsyncDisposable {
  /** For each text, the 0-based numbers of its lines that match. Rejects if it takes too long. One call at a time. */
  match(texts: readonly string[], signal: AbortSignal): Promise<readonly LineNumbers[]>;
}

/** The 0-based numbers of lines, in ascending order. */
export type LineNumbers = readonly number[];

/** The lines of a text, without their line ends. Nothing follows a line end at the end. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * A function of texts and an expression, as source text: a thread and a context have programs of their own. For each text,
 * it gives the 0-based numbers of the lines that match. Splits as `linesOf` does.
 */
export const MATCH_LINES = `(texts, regex) => texts.map((text) => {
  const found = [];
  const lines = text.split(/\\r?\\n/);
  if (lines.at(-1) === '') lines.pop();
  lines.forEach((line, index) => { if (regex.test(line)) found.push(index); });
  return found;
})`;
