import type { Client } from '../sdk/client';
import type { Message } from '../sdk/messages';
import type { ApprovalDecision, ApprovalRequest } from './approval/approver';

/**
 * What the approval hook of a session's client calls to have a person decide. The session gives the request its id,
 * shows it, asks the `Approver` and shows the answer. Aborting `signal` takes the question back: `cancelled`.
 * Never rejects: an approver that fails counts as a denial.
 */
export type ApprovalAsk = (
  request: Omit<ApprovalRequest, 'id' | 'sessionId'>,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalDecision>;

export interface CreateClientInput {
  /** The conversation so far, for `AgentOptions.history`. */
  readonly history: readonly Message[];
  readonly sessionId: string;
  readonly ask: ApprovalAsk;
}

/**
 * Makes the client of a session, with the settings of the moment: called at the first prompt and again when an epoch
 * ends. The session closes what it got. Rejects with an `AgentError` when no client can be made (no server, no model).
 */
export type CreateClient = (input: CreateClientInput) => Promise<Client>;
