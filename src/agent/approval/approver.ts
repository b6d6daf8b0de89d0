import type { CommandPlan, EditPlan, ReadPlan } from '../../workspace/plans';

/** What a person is asked about. The plan is the whole truth: what is approved is exactly what runs. */
export interface ApprovalRequest {
  /** Single use: a decision for another id, or a second one, changes nothing. */
  readonly id: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly plan: EditPlan | CommandPlan | ReadPlan;
  /** Why it asks, for people: "Edits always ask", … */
  readonly reason: string;
}

/**
 * `allow` may carry the text the person typed into the proposal, which then is what is applied.
 * `cancelled`: nobody decided (the run was stopped, the window closed); nothing runs.
 */
export type ApprovalDecision =
  | { readonly action: 'allow'; readonly editedText?: string | undefined }
  | { readonly action: 'deny'; readonly reason?: string | undefined }
  | { readonly action: 'cancelled' };

/** The port to whoever decides: the panel and the diff editor, a terminal, nobody. */
export interface Approver {
  /** Aborting `signal` takes the question back and answers `cancelled`. Rejecting counts as a denial. */
  ask(request: ApprovalRequest, options: { readonly signal: AbortSignal }): Promise<ApprovalDecision>;
}
