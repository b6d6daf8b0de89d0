import type { HunkState } from '../../agent/view/sessionEvents';
import {
  decideHunk,
  findHunks,
  findRejected,
  splitHunks,
  splitLines,
  type HunkedEdit,
  type LineRange,
} from '../../workspace/edits/diff/hunks';
import type { EditPlan } from '../../workspace/plans';
import { withoutByteOrderMark } from './editedProposal';

/**
 * What a person has decided about the hunks of one proposal. That one is rejected is told from the proposal's text, so
 * that undoing, typing and the diff editor's own arrows count as well; that one is accepted is kept here.
 */
export class HunkReview {
  readonly #edit: HunkedEdit;
  readonly #accepted = new Set<number>();
  #rejected: ReadonlySet<number> = new Set();
  #text: string;

  constructor({ before, after }: Pick<EditPlan, 'before' | 'after'>) {
    this.#text = withoutByteOrderMark(after);
    this.#edit = splitHunks(before === null ? null : withoutByteOrderMark(before), this.#text);
  }

  /** One for each hunk, in order. */
  get states(): readonly HunkState[] {
    return this.#edit.hunks.map((_, index) =>
      this.#rejected.has(index) ? 'rejected' : this.#accepted.has(index) ? 'accepted' : 'open',
    );
  }

  /** Where each hunk is in the text that was read last. */
  get places(): readonly LineRange[] {
    return findHunks(this.#edit, splitLines(this.#text), this.#rejected);
  }

  /** Takes note of what the proposal is now. True: a state is another. */
  read(text: string): boolean {
    if (text === this.#text) return false;
    const before = this.states.join();
    this.#text = text;
    this.#rejected = findRejected(this.#edit, splitLines(text));
    for (const index of this.#rejected) this.#accepted.delete(index);
    return this.states.join() !== before;
  }

  /** Decides about a hunk: the text the proposal is to have, line ends mixed where its editor has others. */
  decide(index: number, isKept: boolean): string {
    if (isKept && index < this.#edit.hunks.length) this.#accepted.add(index);
    else this.#accepted.delete(index);
    return decideHunk(this.#edit, splitLines(this.#text), { index, isKept, rejected: this.#rejected });
  }
}

/** The hunk at a line, or the one nearest to it; 0-based. `undefined` only when there is none. */
export function hunkAt(places: readonly LineRange[], line: number): number | undefined {
  let nearest: { readonly index: number; readonly lines: number } | undefined;
  for (const [index, { start, end }] of places.entries()) {
    const lines = line < start ? start - line : Math.max(line - Math.max(end - 1, start), 0);
    if (!nearest || lines < nearest.lines) nearest = { index, lines };
  }
  return nearest?.index;
}

/** The next hunk nobody has decided about, from one on and around; `undefined` when all are decided. */
export function nextOpen(states: readonly HunkState[], from: number): number | undefined {
  const after = states.findIndex((state, index) => state === 'open' && index >= from);
  const found = after === -1 ? states.indexOf('open') : after;
  return found === -1 ? undefined : found;
}
