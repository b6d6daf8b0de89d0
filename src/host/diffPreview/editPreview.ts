import type { HunkState } from '../../agent/view/approvalSummary';
import type { Emitter } from '../../util/emitter';
import type { EditPlan } from '../../workspace/plans';

/** Shows proposed edits, which a person can edit. */
export interface EditPreview {
  /** Shows a proposal, for the first time or again. Without `takeFocus` the focus stays where it is. */
  open(requestId: string, plan: EditPlan, options: { readonly takeFocus: boolean }): Promise<void>;
  /** The proposal's whole text after a person changed it; `undefined` when nobody did. */
  editedText(requestId: string): string | undefined;
  /** Takes a hunk out of the proposal or puts it back, shown or not. Resolves with the states of all hunks. */
  decideHunk(requestId: string, plan: EditPlan, hunk: number, isKept: boolean): Promise<readonly HunkState[]>;
  /** Tells when the state of a hunk changes, for any reason. */
  readonly onHunksChanged: Emitter<HunkChange>['on'];
  /** Closes the proposal's tabs; harmless when there are none. */
  close(requestId: string): Promise<void>;
  /** Whether the review of all proposed edits shows it. */
  isInReview(requestId: string): boolean;
}

export interface HunkChange {
  readonly requestId: string;
  readonly states: readonly HunkState[];
}
