import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { TextMatch, TextQuery, TextSearch } from '../ports';
import { compilePattern } from '../searchPattern';
import { decodeText } from '../textEncoding';
import { matchesGlob } from '../globs';
import { createLineMatcher, type LineMatcher } from './lineMatcher';
import { withRegularFile } from './regularFile';
import { walkFiles } from './walkFiles';

/** Bigger files are generated or data; reading them all would make every search slow. */
const MAX_FILE_BYTES = 2_000_000;
const MAX_LINE_LENGTH = 300;
const FILES_AT_ONCE = 16;

export interface NodeTextSearchOptions {
  /** How long a regular expression may work on one batch of files. Default 5,000. */
  readonly regexTimeoutMs?: number | undefined;
}

/** Search by walking the folder: for where VS Code's ripgrep is not at hand. */
export function createNodeTextSearch({ regexTimeoutMs = 5000 }: NodeTextSearchOptions = {}): TextSearch {
  return {
    async search(query, { signal }) {
      const compiled = compilePattern(query);
      if (!compiled.ok) throw new Error(compiled.error);
      await using matcher = createLineMatcher(compiled.regex, {
        isTrusted: !query.isRegex,
        timeoutMs: regexTimeoutMs,
      });
      const matches: TextMatch[] = [];
      for await (const batch of inBatches(candidates(query, signal), FILES_AT_ONCE)) {
        for (const match of await searchBatch(batch, matcher, signal)) {
          if (matches.length === query.maxMatches) return { matches, isCut: true };
          matches.push(match);
        }
      }
      return { matches, isCut: false };
    },
  };
}

async function* candidates(query: TextQuery, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  if ((await fs.stat(query.path)).isFile()) {
    yield query.path;
    return;
  }
  for await (const file of walkFiles(query.path, signal)) {
    const relative = path.relative(query.path, file).split(path.sep).join('/');
    if (query.isWanted?.(relative) === false) continue;
    if (query.include === undefined || matchesGlob(relative, query.include)) yield file;
  }
}

async function searchBatch(
  files: readonly string[],
  matcher: LineMatcher,
  signal: AbortSignal,
): Promise<readonly TextMatch[]> {
  const texts = await Promise.all(files.map(readSearchable));
  signal.throwIfAborted();
  const lines = texts.map((text) => (text === undefined ? [] : text.split(/\r?\n/)));
  const found = await matcher.match(lines, signal);
  return files.flatMap((file, index) =>
    (found[index] ?? []).map((line) => ({
      path: file,
      line: line + 1,
      text: shorten(lines[index]?.[line] ?? ''),
    })),
  );
}

/** The text of a file worth searching; `undefined` for one that is too big, binary, or gone. */
async function readSearchable(file: string): Promise<string | undefined> {
  try {
    return await withRegularFile(file, async (handle) => {
      if ((await handle.stat()).size > MAX_FILE_BYTES) return undefined;
      return decodeText(await handle.readFile(), file);
    });
  } catch {
    // Not text, not readable or deleted meanwhile: nothing to find in it either way.
    return undefined;
  }
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
