import { diffArrays } from 'diff';
import { sharedEnds } from '../sharedEnds';

/** A stretch of two sequences that is equal in both, or that differs. Offsets, ends exclusive. */
export interface DiffRun {
  readonly isEqual: boolean;
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** With more changes, everything between the shared ends counts as different: comparing takes quadratic time. */
const MAX_CHANGES = 400;

/** Compares two sequences. Equal and changed runs alternate. */
export function diffRuns(
  before: readonly string[],
  after: readonly string[],
  maxChanges: number = MAX_CHANGES,
): readonly DiffRun[] {
  const { head, tail } = sharedEnds(before, after);
  const runs: DiffRun[] = [];
  let [oldAt, newAt] = [0, 0];
  const add = (isEqual: boolean, oldCount: number, newCount: number): void => {
    if (oldCount === 0 && newCount === 0) return;
    const last = runs.at(-1);
    const [oldEnd, newEnd] = [oldAt + oldCount, newAt + newCount];
    if (last?.isEqual === isEqual) runs[runs.length - 1] = { ...last, oldEnd, newEnd };
    else runs.push({ isEqual, oldStart: oldAt, oldEnd, newStart: newAt, newEnd });
    [oldAt, newAt] = [oldEnd, newEnd];
  };

  add(true, head, head);
  const middle = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const;
  const changes =
    middle[0].length > 0 && middle[1].length > 0
      ? diffArrays([...middle[0]], [...middle[1]], { maxEditLength: maxChanges })
      : undefined;
  if (!changes) add(false, middle[0].length, middle[1].length);
  for (const { added, removed, count } of changes ?? []) {
    if (added) add(false, 0, count);
    else if (removed) add(false, count, 0);
    else add(true, count, count);
  }
  add(true, tail, tail);
  return runs;
}
