import { PLAIN_WITHOUT_INDENTATION, WITHOUT_TRAILING_SPACE, type FileLines, type LineKey } from '../fileLines';
import { partsOf } from '../replacement/indentation';
import { toPlain } from '../typography';
import { placeOf } from './blankLines';
import { boundedDistance, StepBudget } from './boundedDistance';
import { isBlank } from '../lineEnds';
import { toLineEdit } from './lineEdit';
import { NONE, replaceLines, type MatchResult } from './matcher';
import type { TextEdit } from '../textEdit';

const MIN_LINES = 3;
/** How many characters may differ. The next search only runs if the one before finds nothing. */
const MAX_DISTANCES = [2, 8, 24];
/** Largest share of the quoted characters that may differ. */
const MAX_SHARE = 0.1;
/** Largest share of the characters of one line that may differ. */
const MAX_LINE_SHARE = 0.4;
const MAX_STEPS = 3_000_000;

/**
 * Matches lines of which a few have small mistakes. There must be at least three solid lines, indented as in the file,
 * and no other place that is nearly as similar, with any indentation. `budget` limits the work. If it runs out, nothing is found.
 */
export function matchNear(file: FileLines, edit: TextEdit, budget = new StepBudget(MAX_STEPS)): MatchResult {
  const lines = toLineEdit(edit);
  const wanted = lines.oldLines.filter((line) => !isBlank(line)).map((line) => line.trimEnd());
  if (wanted.length < MIN_LINES) return NONE;
  const length = wanted.reduce((sum, line) => sum + line.trim().length, 0);
  for (const maxDistance of MAX_DISTANCES) {
    const limit = Math.min(maxDistance, Math.floor(length * MAX_SHARE));
    const [best, second] = findNearest(file, wanted, WITHOUT_TRAILING_SPACE, marginOf(limit), budget);
    if (budget.isSpent) return NONE;
    if (best && best.distance <= limit) {
      if (second && second.distance < marginOf(best.distance)) return NONE;
      // The quote may have lost its indentation, too.
      const anywhere = findNearest(file, wanted, PLAIN_WITHOUT_INDENTATION, marginOf(best.distance), budget);
      if (budget.isSpent || anywhere.some(({ lines: [first] }) => first !== best.lines[0])) return NONE;
      if (mayEscapeNewLines(file, lines, wanted, best)) return NONE;
      return replaceLines(file, lines, placeOf(file, lines.oldLines, best.lines));
    }
    if (limit < maxDistance) return NONE;
  }
  return NONE;
}

/** Whether the quote only has backslashes wrongly, and so may the new lines. */
function mayEscapeNewLines(
  file: FileLines,
  { oldLines, newLines }: ReturnType<typeof toLineEdit>,
  wanted: readonly string[],
  { lines }: Nearest,
): boolean {
  const [quoted, actual] = [wanted, lines.map((line) => file.contentOf(line))].map((all) =>
    all.map((line) => line.trimEnd()).join('\n'),
  ) as [string, string];
  const isEscaped = quoted !== actual && quoted.replaceAll('\\', '') === actual.replaceAll('\\', '');
  const known = new Set(oldLines);
  return isEscaped && newLines.some((line) => !known.has(line) && line.includes('\\'));
}

/** Another place below this distance is too similar, so the match is unclear. */
function marginOf(distance: number): number {
  return distance * 2 + 3;
}

interface Nearest {
  readonly distance: number;
  readonly lines: readonly number[];
}

/** The two best places with a distance below `limit`, the best first. `key` tells whether the indentation counts. */
function findNearest(
  file: FileLines,
  wanted: readonly string[],
  key: LineKey,
  limit: number,
  budget: StepBudget,
): readonly Nearest[] {
  const { idOf } = file.indexBy(key);
  const { lines, ids } = file.solidBy(key);
  const wantedIds = wanted.map((line) => idOf.get(key.of(line)) ?? -1);
  const distances = new Map<string, number>();
  let found: readonly Nearest[] = [];
  for (let start = 0; start + wanted.length <= lines.length; start++) {
    const differing: number[] = [];
    for (let index = 0; index < wanted.length && differing.length < limit; index++) {
      if (ids[start + index] !== wantedIds[index]) differing.push(index);
    }
    budget.spend(wanted.length);
    // A quoted line that the file has elsewhere is not misquoted: another line is missing.
    if (differing.some((index) => wantedIds[index] !== -1)) continue;
    if (differing.length >= limit || differing.length > wanted.length / 2 + 1) continue;
    let distance = 0;
    for (const index of differing) {
      const line = lines[start + index] as number;
      const pair = `${index} ${ids[start + index]}`;
      let one = distances.get(pair);
      if (one === undefined) {
        one = lineDistance(key.of(wanted[index] as string), key.of(file.contentOf(line)), limit, budget);
        distances.set(pair, one);
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

/** How many characters differ. With another indentation the structure differs: `limit`. */
function lineDistance(wanted: string, actual: string, limit: number, budget: StepBudget): number {
  const [a, b] = [partsOf(wanted), partsOf(actual)];
  if (a.indentation !== b.indentation) return limit;
  const distance = boundedDistance(toPlain(a.body), toPlain(b.body), limit, budget);
  // Too much of the line differs.
  return distance >= b.body.length || distance > Math.max(1, a.body.length * MAX_LINE_SHARE) ? limit : distance;
}
