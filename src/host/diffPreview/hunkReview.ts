import type { HunkState } from '../../agent/view/approvalSummary';
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
 * The states of a proposal's hunks. A rejected hunk is recognised by the proposal's text, so undo, typing and the diff
 * editor's own arrows count. Accepted hunks are remembered here.
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

  /** One state for each hunk, in order. */
  get states(): readonly HunkState[] {
    return this.#edit.hunks.map((_, index) =>
      this.#rejected.has(index) ? 'rejected' : this.#accepted.has(index) ? 'accepted' : 'open',
    );
  }

  /** Where each hunk is in the text of the last `read`. */
  get places(): readonly LineRange[] {
    return findHunks(this.#edit, splitLines(this.#text), this.#rejected);
  }

  /** Reads the proposal's current text. True: a state has changed. */
  read(text: string): boolean {
    if (text === this.#text) return false;
    const before = this.states.join();
    this.#text = text;
    this.#rejected = findRejected(this.#edit, splitLines(text));
    for (const index of this.#rejected) this.#accepted.delete(index);
    return this.states.join() !== before;
  }

  /** Decides a hunk. Returns the proposal's new text; its line ends may be mixed. */
  decide(index: number, isKept: boolean): string {
    if (isKept && index < this.#edit.hunks.length) this.#accepted.add(index);
    else this.#accepted.delete(index);
    return decideHunk(this.#edit, splitLines(this.#text), { index, isKept, rejected: this.#rejected });
  }
}

/** The index of the hunk at a line (from 0), or of the nearest one. `undefined` only when there is no hunk. */
export function hunkAt(places: readonly LineRange[], line: number): number | undefined {
  let nearest: { readonly index: number; readonly lines: number } | undefined;
  for (const [index, { start, end }] of places.entries()) {
    const lines = line < start ? start - line : Math.max(line - Math.max(end - 1, start), 0);
    if (!nearest || lines < nearest.lines) nearest = { index, lines };
  }
  return nearest?.index;
}

/** The next open hunk from `from` on, then from the start; `undefined` when all are decided. */
export function nextOpen(states: readonly HunkState[], from: number): number | undefined {
  const after = states.findIndex((state, index) => state === 'open' && index >= from);
  const found = after === -1 ? states.indexOf('open') : after;
  return found === -1 ? undefined : found;
}
