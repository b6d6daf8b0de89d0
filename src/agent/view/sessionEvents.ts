import type { AgentEvent } from '../../sdk/events';
import type { ApprovalOutcome, ApprovalSummary, HunkState } from './approvalSummary';
import type { ContextUse, ReadOnlyReason, SessionNotice, SessionState, SessionView, WaitingItem } from './sessionView';
import type { SentInstruction } from './prompt/instructionSections';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import type { AgentErrorInfo } from '../../sdk/errors';

/** Everything a screen needs to follow a session. `ts` is milliseconds since the epoch, from the host's clock. */
export type SessionEvent =
  | {
      readonly type: 'prompt_added';
      /** The entry's id, from which a branch can start. */
      readonly id: string;
      readonly text: string;
      readonly contextLabels: readonly string[];
      /** The images that go with it. Absent: none. */
      readonly images?: readonly StoredImage[] | undefined;
      /** See `PromptItem`. */
      readonly instructions?: readonly SentInstruction[] | undefined;
      readonly ts: number;
    }
  /** The prompts that wait to be sent, all of them, oldest first. */
  | { readonly type: 'waiting_changed'; readonly waiting: readonly WaitingItem[]; readonly ts: number }
  /** More context goes with a prompt than the person added; all labels, in order. */
  | {
      readonly type: 'prompt_context';
      readonly id: string;
      readonly contextLabels: readonly string[];
      readonly instructions: readonly SentInstruction[];
      readonly ts: number;
    }
  | { readonly type: 'agent'; readonly event: AgentEvent; readonly ts: number }
  | { readonly type: 'approval_requested'; readonly approval: ApprovalSummary; readonly ts: number }
  /** The decisions about the hunks of an edit so far. */
  | {
      readonly type: 'hunks_changed';
      readonly requestId: string;
      readonly toolUseId: string;
      readonly states: readonly HunkState[];
      readonly ts: number;
    }
  | {
      readonly type: 'approval_resolved';
      readonly requestId: string;
      readonly toolUseId: string;
      readonly outcome: ApprovalOutcome;
      /** The person's words, when they denied. */
      readonly reason?: string | undefined;
      readonly ts: number;
    }
  | { readonly type: 'state_changed'; readonly state: SessionState; readonly ts: number }
  /** The conversation went to another branch, with this view. */
  | { readonly type: 'branch_changed'; readonly view: SessionView; readonly ts: number }
  | ({ readonly type: 'context'; readonly ts: number } & ContextUse)
  | { readonly type: 'titled'; readonly title: string; readonly ts: number }
  | { readonly type: 'notice'; readonly notice: SessionNotice; readonly ts: number }
  | { readonly type: 'notice_dismissed'; readonly id: string; readonly ts: number }
  | { readonly type: 'read_only_changed'; readonly readOnly: ReadOnlyReason; readonly ts: number }
  | { readonly type: 'failed'; readonly error: AgentErrorInfo; readonly ts: number };
