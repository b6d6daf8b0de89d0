import { applyEdits, type EditResult } from '../../../../src/workspace/edits/applyEdits';
import type { TextEdit } from '../../../../src/workspace/edits/matchEdit';
import { FileLines } from '../../../../src/workspace/edits/fileLines';
import { boundedDistance, StepBudget } from '../../../../src/workspace/edits/matchers/boundedDistance';
import { unifiedDiff } from '../../../../src/workspace/edits/diff/unifiedDiff';
import { isBlank, pick, textOf, type Change, type Kind } from './kind';

/** A change of a file as people meant it. */
export interface Meant {
  readonly source: string;
  readonly text: string;
  readonly firstLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/**
 * `right`: exactly the meant file, or not applied where a person must decide. `near`: the meant file, shown to a person first.
 * `refused`: nothing applied. `wrong`: another file.
 */
type Outcome = 'right' | 'near' | 'refused' | 'wrong';

interface KindCase {
  readonly outcome: Outcome;
  readonly kind: string;
  readonly meant: Meant;
  readonly edits: readonly TextEdit[];
  readonly result: EditResult;
  readonly expected: string;
}

/** Writes a change in one way and applies it. `undefined` if the change has no place for the mistake, or the meaning is unclear. */
function tryKind(kind: Kind, given: Meant, random: () => number): KindCase | undefined {
  const file = new FileLines(given.text);
  const meant = narrow(given, random);
  const { firstLine, oldLines, newLines } = meant;
  if (oldLines.every(isBlank) || oldLines.join('\n') === newLines.join('\n')) return undefined;
  // Where line ends are mixed, those of new lines are not known.
  const lineEnds = oldLines.map((_, index) => file.lineEndAfter(firstLine + index)).filter((one) => one !== '');
  if (new Set(lineEnds).size > 1) return undefined;
  const fileLines = Array.from({ length: file.count }, (_, line) => file.contentOf(line));
  const endsBlank = isBlank(oldLines.at(-1) ?? '') || (newLines.length > 0 && isBlank(newLines.at(-1) ?? ''));
  const end = endsBlank || random() < 0.7 ? '\n' : '';
  const change: Change = { fileLines, firstLine, oldLines, newLines, end };
  if (!isOnlyPlace(change)) return undefined;
  const edits = kind.write(change, random);
  if (!edits || edits.some(({ oldText, newText }) => oldText === '' || oldText === newText)) return undefined;
  const plainText = given.text.replaceAll('\r\n', '\n');
  if ((kind.isAltering ?? false) && edits.some(({ oldText }) => plainText.includes(oldText))) return undefined;
  if (edits.length === 1 && !kind.isAltering && quotesOtherLines(given.text, change, edits[0] as TextEdit))
    return undefined;
  const expected = expectedText(file, meant);
  const result = applyEdits(given.text, edits);
  return { outcome: judge(kind, result, expected, given.text), kind: kind.name, meant, edits, result, expected };
}

/** Whether the mistake quotes more lines exactly, so that the edit means another change. */
function quotesOtherLines(given: string, { oldLines, newLines }: Change, { oldText, newText }: TextEdit): boolean {
  const text = given.replaceAll('\r\n', '\n');
  const trimmed = text.replaceAll(/[ \t]+$/gm, '');
  if (text.includes(oldText) && oldText.startsWith('\n') && newText.startsWith('\n'))
    return oldText !== textOf(oldLines, '\n');
  const isSame =
    oldText.trim() === textOf(oldLines, '').trim() && newText === textOf(newLines, newText.endsWith('\n') ? '\n' : '');
  const right = textOf(oldLines, '\n');
  const leading = (one: string): number => /^\n*/.exec(one)?.[0].length ?? 0;
  const isMore = oldText.split('\n').length > right.split('\n').length || leading(oldText) !== leading(right);
  return isSame && isMore && [text, trimmed].some((one) => `\n${one}`.includes(`\n${oldText}`));
}

function judge({ expects }: Kind, result: EditResult, expected: string, before: string): Outcome {
  if (!result.ok || result.text === before) return expects === 'guarded' ? 'right' : 'refused';
  if (result.text === expected) return result.match === 'near' && expects === 'applied' ? 'near' : 'right';
  return result.match === 'near' && expects === 'guarded' ? 'right' : 'wrong';
}

/** Leaves out some of the context lines. */
function narrow(meant: Meant, random: () => number): Meant {
  const { oldLines, newLines } = meant;
  const most = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < most && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < most - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const [from, to] = [Math.floor(random() * (head + 1)), Math.floor(random() * (tail + 1))];
  return {
    ...meant,
    firstLine: meant.firstLine + from,
    oldLines: oldLines.slice(from, oldLines.length - to),
    newLines: newLines.slice(from, newLines.length - to),
  };
}

/** Whether no other lines of the file are nearly the quoted ones. Blanks do not count. */
function isOnlyPlace({ fileLines, firstLine, oldLines }: Change): boolean {
  const budget = new StepBudget(Infinity);
  const plain = (line: string): string => line.replaceAll(/\s+/g, ' ').trim();
  const wanted = oldLines.map(plain).filter((line) => line !== '');
  const solid = fileLines.flatMap((line, index) => (isBlank(line) ? [] : [{ line: plain(line), index }]));
  for (let start = 0; start + wanted.length <= solid.length; start++) {
    const index = solid[start]?.index ?? 0;
    if (index >= firstLine && index < firstLine + oldLines.length && !isBlank(oldLines[0] ?? '') && index === firstLine)
      continue;
    if (index === firstLine + oldLines.findIndex((line) => !isBlank(line))) continue;
    let distance = 0;
    for (const [offset, line] of wanted.entries()) {
      const other = solid[start + offset]?.line ?? '';
      if (other !== line) distance += boundedDistance(line, other, 4, budget);
      if (distance >= 4) break;
    }
    if (distance < 4) return false;
  }
  return wanted.length > 1 || !solid.some(({ line, index }) => index !== firstLine && line.includes(wanted[0] ?? ''));
}

function expectedText(file: FileLines, { firstLine, oldLines, newLines }: Meant): string {
  const next = firstLine + oldLines.length;
  const own = file.lineEndAfter(firstLine) || file.lineEnd;
  const isLast = next >= file.count;
  const lastEnd = isLast ? file.lineEndAfter(file.count - 1) : own;
  const middle = newLines.map((line, index) => line + (index + 1 < newLines.length ? own : lastEnd)).join('');
  return file.text.slice(0, file.startOf(firstLine)) + middle + file.text.slice(file.startOf(next));
}

export interface KindTally {
  readonly right: number;
  readonly near: number;
  readonly refused: number;
  readonly wrong: number;
}

/** Tries a kind on random changes until there are `cases`, or twenty times as many tries. */
export function measureKind(
  kind: Kind,
  {
    changes,
    cases,
    random,
  }: { readonly changes: readonly Meant[]; readonly cases: number; readonly random: () => number },
  onCase: (one: KindCase) => void = () => {},
): KindTally {
  const tally = { right: 0, near: 0, refused: 0, wrong: 0 };
  let count = 0;
  for (let tries = 0; tries < cases * 20 && count < cases; tries++) {
    const one = tryKind(kind, pick(changes, random), random);
    if (!one) continue;
    count++;
    tally[one.outcome]++;
    onCase(one);
  }
  return tally;
}

export function describeCase({ kind, outcome, meant, edits, result, expected }: KindCase): string {
  const what = result.ok
    ? `${result.match}; from meant to made:\n${unifiedDiff(expected, result.text).text}`
    : JSON.stringify(result.failure);
  return `\n### ${outcome}: ${kind}, ${meant.source}:${meant.firstLine + 1}\n${JSON.stringify(edits, null, 1)}\nmeant ${JSON.stringify(textOf(meant.newLines, '\n'))}\n${what}`;
}
