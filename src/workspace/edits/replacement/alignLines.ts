import { diffRuns } from '../diff/lineDiff';
import { sharedEnds } from '../sharedEnds';

/** The origin of a line of the new text: the same line of the old text, a changed line of it, or none. */
export type LineOrigin =
  | { readonly kind: 'same'; readonly oldIndex: number }
  | { readonly kind: 'changed'; readonly oldIndex: number }
  | { readonly kind: 'new' };

/** The origin of each line of `newLines`, in order. Old indexes ascend. */
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

/** The pairs of lines, in the order of both texts, with the greatest total similarity. */
function pairSimilar(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly (readonly [oldAt: number, newAt: number])[] {
  if (oldLines.length * newLines.length > MAX_COMPARED_LINES) return [];
  const oldWords = oldLines.map(wordsOf);
  const newWords = newLines.map(wordsOf);
  const width = newLines.length + 1;
  const similarities = oldWords.map((a) => newWords.map((b) => similarityOf(a, b)));
  // best[i][j]: the greatest similarity of the lines from i and j on.
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

/** The share of characters that both have in equal words or at both ends: 0 none, 1 all. */
function similarityOf(a: Words, b: Words): number {
  let shared = 0;
  for (const [word, length] of a.counts) shared += Math.min(length, b.counts.get(word) ?? 0);
  if (a.total + b.total === 0) return 0;
  const { head, tail } = sharedEnds(a.text, b.text);
  return Math.max((2 * shared) / (a.total + b.total), (2 * (head + tail)) / (a.text.length + b.text.length));
}
