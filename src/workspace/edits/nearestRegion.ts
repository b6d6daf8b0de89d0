import { trimBlankEnds } from './lineEnds';

/** Some lines of a text. Lines count from 1, `endLine` included. */
export interface Region {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/**
 * The lines of a text that are most similar to a model's quote, at most 40. `undefined` if nothing is similar enough. First
 * compares whole lines without indentation, then, if no line is equal, parts of lines.
 */
export function findNearestRegion(text: string, wanted: string): Region | undefined {
  const lines = text.split(/\r?\n/);
  const wantedLines = trimBlankEnds(wanted.split(/\r?\n/)).slice(0, MAX_SHOWN_LINES);
  if (wantedLines.length === 0 || lines.length * wantedLines.length > MAX_COMPARISONS) return undefined;
  const start = findByEqualLines(lines, wantedLines) ?? findBySimilarLine(lines, wantedLines);
  if (start === undefined) return undefined;
  const from = Math.max(0, start);
  const to = Math.min(lines.length, Math.max(from + 1, start + wantedLines.length));
  return shownRegion(from, lines.slice(from, to));
}

/** A region that fits in a tool result: at most 40 lines, and 8,000 characters. Longer lines are cut, with an ellipsis. */
export function shownRegion(firstLine: number, lines: readonly string[]): Region {
  const shown: string[] = [];
  let room = MAX_SHOWN_CHARS;
  for (const line of lines.slice(0, MAX_SHOWN_LINES)) {
    if (room <= 0) break;
    shown.push(line.length > room ? `${line.slice(0, room)}…` : line);
    room -= line.length + 1;
  }
  return { startLine: firstLine + 1, endLine: firstLine + shown.length, text: shown.join('\n') };
}

const MAX_SHOWN_CHARS = 8000;
const MAX_SHOWN_LINES = 40;
const MAX_COMPARISONS = 10_000_000;
const MAX_COMPARED_LENGTH = 400;
const MIN_SIMILARITY = 0.5;

/** The place with most of the wanted lines, in the same order and distance. Short lines such as `}` count little. */
function findByEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const key = line.trim();
    const at = places.get(key);
    if (at) at.push(index);
    else places.set(key, [index]);
  }
  const scores = new Map<number, number>();
  for (const [index, line] of wanted.entries()) {
    const key = line.trim();
    for (const at of key === '' ? [] : (places.get(key) ?? [])) {
      scores.set(at - index, (scores.get(at - index) ?? 0) + Math.min(key.length, 40));
    }
  }
  let best: { readonly start: number; readonly score: number } | undefined;
  for (const [start, score] of scores) {
    if (!best || score > best.score || (score === best.score && start < best.start)) best = { start, score };
  }
  return best && best.score >= MIN_EQUAL_WEIGHT ? best.start : undefined;
}

/** Fewer equal characters are only a bracket or an `else`. */
const MIN_EQUAL_WEIGHT = 8;

function findBySimilarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a));
  const pairs = pairsOf(longest);
  let best: { readonly index: number; readonly similarity: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const similarity = overlap(pairs, pairsOf(line));
    if (similarity >= MIN_SIMILARITY && (!best || similarity > best.similarity)) best = { index, similarity };
  }
  return best && best.index - wanted.indexOf(longest);
}

/** Counts each pair of neighbouring characters of a trimmed line. */
function pairsOf(line: string): ReadonlyMap<string, number> {
  const text = line.trim().slice(0, MAX_COMPARED_LENGTH);
  const pairs = new Map<string, number>();
  for (let index = 0; index + 1 < text.length; index++) {
    const pair = text.slice(index, index + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Sørensen-Dice coefficient: 0 no common pairs, 1 equal pairs. */
function overlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [pair, count] of a) {
    shared += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
