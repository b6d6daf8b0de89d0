import { diffRuns } from '../diff/lineDiff';

/** Where a line of the new text comes from: the same line of the old text, that line changed, or nowhere. */
export type LineOrigin =
  | { readonly kind: 'same'; readonly oldIndex: number }
  | { readonly kind: 'changed'; readonly oldIndex: number }
  | { readonly kind: 'new' };

/** For every line of `newLines`, in order, where it comes from. Origins ascend. */
export function alignLines(oldLines: readonly string[], newLines: readonly string[]): readonly LineOrigin[] {
  const origins: LineOrigin[] = newLines.map(() => ({ kind: 'new' }));
  for (const { isEqual, oldStart, oldEnd, newStart, newEnd } of diffRuns(oldLines, newLines)) {
    if (isEqual) {
      for (let index = newStart; index < newEnd; index++) {
        origins[index] = { kind: 'same', oldIndex: oldStart + index - newStart };
      }
      continue;
    }
    const pairs = pairSimilar(oldLines.slice(oldStart, oldEnd), newLines.slice(newStart, newEnd));
    for (const [oldAt, newAt] of pairs) origins[newStart + newAt] = { kind: 'changed', oldIndex: oldStart + oldAt };
  }
  return origins;
}

const MAX_COMPARED_LINES = 2500;
const MIN_SIMILARITY = 0.4;

/** The order-preserving pairs of lines with the greatest similarity in sum. */
function pairSimilar(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly (readonly [oldAt: number, newAt: number])[] {
  if (oldLines.length * newLines.length > MAX_COMPARED_LINES) return [];
  const oldWords = oldLines.map(wordsOf);
  const newWords = newLines.map(wordsOf);
  const width = newLines.length + 1;
  const similarities = oldWords.map((a) => newWords.map((b) => similarityOf(a, b)));
  // best[i][j] is for the lines from i and j on.
  const best = new Float64Array((oldLines.length + 1) * width);
  for (let i = oldLines.length - 1; i >= 0; i--) {
    for (let j = newLines.length - 1; j >= 0; j--) {
      const similarity = similarities[i]?.[j] ?? 0;
      const paired = similarity >= MIN_SIMILARITY ? similarity + (best[(i + 1) * width + j + 1] as number) : 0;
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] as number, best[i * width + j + 1] as number);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < oldLines.length && j < newLines.length) {
    const here = best[i * width + j] as number;
    if (here === best[(i + 1) * width + j]) i++;
    else if (here === best[i * width + j + 1]) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

interface Words {
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function wordsOf(line: string): Words {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of line.slice(0, 400).matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + word.length);
    total += word.length;
  }
  return { text: line.trim().slice(0, 400), counts, total };
}

/** The share of characters in words, or at both ends, that both have: 0 none, 1 all. */
function similarityOf(a: Words, b: Words): number {
  let shared = 0;
  for (const [word, length] of a.counts) shared += Math.min(length, b.counts.get(word) ?? 0);
  if (a.total + b.total === 0) return 0;
  return Math.max((2 * shared) / (a.total + b.total), sharedEnds(a.text, b.text));
}

function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return (2 * (head + tail)) / (a.length + b.length);
}
