import type { TextMatch, TextQuery, TextSearchOutcome } from '../../ports';
import { compileFileGlob } from '../../search/globs';
import { compilePattern } from '../../search/searchPattern';
import { createLineMatcher } from './lineMatcher';
import { linesOf, type LineMatcher } from './matchedLines';

/** The files that a search by walking reads. */
export interface SearchedFiles {
  isFile(path: string): Promise<boolean>;
  /** The regular files below a folder that git would not ignore, in a fixed order. */
  walk(folder: string, signal: AbortSignal): AsyncIterable<string>;
  /** A file of the walk, by its `/`-separated path below the folder. */
  relative(folder: string, file: string): string;
  /** The text of a file; `undefined` if it is not to be searched. Never rejects. */
  readText(file: string): Promise<string | undefined>;
}

export interface SearchLimits {
  /** How long a regular expression may work on one batch of files. */
  readonly regexTimeoutMs: number;
  readonly signal: AbortSignal;
}

const MAX_LINE_LENGTH = 300;
const FILES_AT_ONCE = 16;
/** Of literal text that is searched in this thread. */
const MAX_TRUSTED_LENGTH = 200;

/** Searches the files, a few at once. Rejects for an invalid pattern, with a message for the model. */
export async function searchFiles(
  query: TextQuery,
  files: SearchedFiles,
  { regexTimeoutMs, signal }: SearchLimits,
): Promise<TextSearchOutcome> {
  const compiled = compilePattern(query);
  if (!compiled.ok) throw new Error(compiled.error);
  // A literal text takes at most (its length) x (length of the line) steps.
  const isTrusted = !query.isRegex && query.pattern.length <= MAX_TRUSTED_LENGTH;
  await using matcher = createLineMatcher(compiled.regex, { isTrusted, timeoutMs: regexTimeoutMs });
  const matches: TextMatch[] = [];
  for await (const batch of inBatches(candidates(query, files, signal), FILES_AT_ONCE)) {
    for (const match of await searchBatch(batch, files, matcher, signal)) {
      if (matches.length === query.maxMatches) return { matches, isCut: true };
      matches.push(match);
    }
  }
  return { matches, isCut: false };
}

async function* candidates(
  { path, include, isWanted }: TextQuery,
  files: SearchedFiles,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  if (await files.isFile(path)) {
    yield path;
    return;
  }
  const isIncluded = include === undefined ? () => true : compileFileGlob(include);
  for await (const file of files.walk(path, signal)) {
    const relative = files.relative(path, file);
    if (isWanted?.(relative) !== false && isIncluded(relative)) yield file;
  }
}

async function searchBatch(
  batch: readonly string[],
  files: SearchedFiles,
  matcher: LineMatcher,
  signal: AbortSignal,
): Promise<readonly TextMatch[]> {
  const texts = await Promise.all(batch.map((file) => files.readText(file)));
  signal.throwIfAborted();
  const found = await matcher.match(
    texts.map((text) => text ?? ''),
    signal,
  );
  return batch.flatMap((file, index) => {
    const numbers = found[index] ?? [];
    const lines = numbers.length === 0 ? [] : linesOf(texts[index] ?? '');
    return numbers.map((line) => ({ path: file, line: line + 1, text: shorten(lines[line] ?? '') }));
  });
}

function shorten(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}…`;
}

async function* inBatches<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
