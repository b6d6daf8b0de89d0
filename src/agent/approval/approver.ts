import type { HunkState } from '../view/sessionEvents';
import type { ApprovablePlan } from './approvablePlan';
import type { ApprovalOffers } from './permissions';
import type { RememberScope } from './rules';

/** What a person is asked about. The plan is the whole truth: what is approved is exactly what runs. */
export interface ApprovalRequest {
  /** Single use: a decision for another id, or a second one, changes nothing. */
  readonly id: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly plan: ApprovablePlan;
  /** Why it asks, for people: "Edits always ask", … */
  readonly reason: string;
  /** It could run programs or give secrets away: yes must not be at hand. */
  readonly isSensitive?: boolean | undefined;
  /** What may be answered besides yes and no. */
  readonly offers?: ApprovalOffers | undefined;
  /** Where it was wanted, if not in the panel: by a program, or in the editor's own chat. */
  readonly askedBy?: 'endpoint' | 'chat' | undefined;
  /** Command only: what its parts start, in their order; empty when that is not known for certain. */
  readonly programs?: readonly string[] | undefined;
}

/**
 * `allow` may carry the text the person typed into the proposal, which then is what is applied.
 * `remember` and `acceptsEdits` count only where they were offered.
 * `cancelled`: nobody decided (the run was stopped, the window closed); nothing runs.
 */
export type ApprovalDecision =
  | ({ readonly action: 'allow'; readonly editedText?: string | undefined } & AllowMore)
  | { readonly action: 'deny'; readonly reason?: string | undefined }
  | { readonly action: 'cancelled' };

/** What a yes is good for besides this call. */
export interface AllowMore {
  /** The same again runs without a question. */
  readonly remember?: RememberScope | undefined;
  /** Ordinary edits run for the rest of this run. */
  readonly acceptsEdits?: boolean | undefined;
}

/** Whether a run's ordinary edits are accepted unasked: from when the person says so to the end of the run. */
export interface RunEdits {
  readonly areAccepted: () => boolean;
  readonly accept: () => void;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Hears what was decided about the hunks of an edit before the whole is: one state for each of `splitHunks`. */
  readonly onHunks?: ((states: readonly HunkState[]) => void) | undefined;
}

/** The port to whoever decides: the panel and the diff editor, a terminal, nobody. */
export interface Approver {
  /** Aborting `signal` takes the question back and answers `cancelled`. Rejecting counts as a denial. */
  ask(request: ApprovalRequest, options: AskOptions): Promise<ApprovalDecision>;
}
