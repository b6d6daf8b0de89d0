import { WITHOUT_TRAILING_SPACE, type FileLines } from '../fileLines';
import { partsOf } from '../replacement/indentation';
import { toPlain } from '../typography';
import { placeOf } from './blankLines';
import { boundedDistance, StepBudget } from './boundedDistance';
import { isBlank } from '../lineEnds';
import { NONE, replaceLines, toLineEdit, type RungResult, type TextEdit } from './rung';

const MIN_LINES = 3;
/** Characters that may differ; a coarser search comes only when the finer one finds nothing. */
const MAX_DISTANCES = [2, 8, 24];
/** Of the quoted characters. */
const MAX_SHARE = 0.1;
/** Of the characters of one line. */
const MAX_LINE_SHARE = 0.4;
const MAX_STEPS = 3_000_000;

/**
 * Lines most of which are quoted as they are and a few with small mistakes. At least three lines that are not blank,
 * indented as in the file, and nothing else in the file that is nearly as like. `budget` bounds the work whatever the
 * texts are; when it runs out, nothing is found.
 */
export function matchNear(file: FileLines, edit: TextEdit, budget = new StepBudget(MAX_STEPS)): RungResult {
  const lines = toLineEdit(edit);
  const wanted = lines.oldLines.filter((line) => !isBlank(line)).map((line) => line.trimEnd());
  if (wanted.length < MIN_LINES) return NONE;
  const length = wanted.reduce((sum, line) => sum + line.trim().length, 0);
  for (const maxDistance of MAX_DISTANCES) {
    const limit = Math.min(maxDistance, Math.floor(length * MAX_SHARE));
    const [best, second] = findNearest(file, wanted, marginOf(limit), budget);
    if (budget.isSpent) return NONE;
    if (best && best.distance <= limit) {
      if (second && second.distance < marginOf(best.distance)) return NONE;
      return replaceLines(file, lines, placeOf(file, lines.oldLines, best.lines));
    }
    if (limit < maxDistance) return NONE;
  }
  return NONE;
}

/** Anything below this distance is too like a place that is `distance` away to tell them apart. */
function marginOf(distance: number): number {
  return distance * 2 + 3;
}

interface Nearest {
  readonly distance: number;
  readonly lines: readonly number[];
}

/** The two best places whose distance is less than `limit`, the best first. */
function findNearest(
  file: FileLines,
  wanted: readonly string[],
  limit: number,
  budget: StepBudget,
): readonly Nearest[] {
  const { idOf } = file.indexBy(WITHOUT_TRAILING_SPACE);
  const { lines, ids } = file.solidBy(WITHOUT_TRAILING_SPACE);
  const wantedIds = wanted.map((line) => idOf.get(line) ?? -1);
  const distances = new Map<string, number>();
  let found: readonly Nearest[] = [];
  for (let start = 0; start + wanted.length <= lines.length; start++) {
    const differing: number[] = [];
    for (let index = 0; index < wanted.length && differing.length < limit; index++) {
      if (ids[start + index] !== wantedIds[index]) differing.push(index);
    }
    budget.spend(wanted.length);
    if (differing.length >= limit || differing.length > wanted.length / 2 + 1) continue;
    let distance = 0;
    for (const index of differing) {
      const line = lines[start + index] as number;
      const key = `${index} ${ids[start + index]}`;
      let one = distances.get(key);
      if (one === undefined) {
        one = lineDistance(wanted[index] as string, file.contentOf(line).trimEnd(), limit, budget);
        distances.set(key, one);
      }
      distance += one;
      if (distance >= limit || budget.isSpent) break;
    }
    if (budget.isSpent) return [];
    if (distance >= limit) continue;
    const place = { distance, lines: lines.slice(start, start + wanted.length) };
    found = [...found, place].toSorted((a, b) => a.distance - b.distance).slice(0, 2);
  }
  return found;
}

/** How many letters differ; another indentation is another structure, as far away as can be. */
function lineDistance(wanted: string, actual: string, limit: number, budget: StepBudget): number {
  const [a, b] = [partsOf(wanted), partsOf(actual)];
  if (a.indentation !== b.indentation) return limit;
  const distance = boundedDistance(toPlain(a.body), toPlain(b.body), limit, budget);
  // Another line altogether, if a short one.
  return distance > Math.max(1, a.body.length * MAX_LINE_SHARE) ? limit : distance;
}
