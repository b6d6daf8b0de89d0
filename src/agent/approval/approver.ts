import type { HunkState } from '../view/approvalSummary';
import type { CommandDanger } from '../../workspace/shell/dangers/findDangers';
import type { ApprovablePlan } from './approvablePlan';
import type { ApprovalOffers } from './offers';
import type { RememberScope } from './rules/permissionRules';

/** A question for a person. The plan is complete: what is approved is exactly what runs. */
export interface ApprovalRequest {
  /** Single use: a decision for another id, or a second one, changes nothing. */
  readonly id: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly plan: ApprovablePlan;
  /** Why it asks, for people: "Commands always ask", … */
  readonly reason: string;
  /** It could run programs or reveal secrets: the button that allows it must not have the focus. */
  readonly isSensitive?: boolean | undefined;
  /** A command that is allowed asks only because nobody has seen what the agent changed. */
  readonly isAboutUnseen?: boolean | undefined;
  /** The answers besides yes and no. */
  readonly offers?: ApprovalOffers | undefined;
  /** Who asked, if not the panel: a program, or VS Code's chat. */
  readonly askedBy?: 'endpoint' | 'chat' | undefined;
  /** Command only: the programs that its parts start, in their order. Absent where they are not known for certain. */
  readonly programs?: readonly string[] | undefined;
  /** Command only: why a program that it starts is not known, one sentence each. */
  readonly unknownPrograms?: readonly string[] | undefined;
  /** Command only: what a person must not overlook. Absent: nothing. */
  readonly dangers?: readonly CommandDanger[] | undefined;
}

/**
 * `allow` may carry the text that the person typed into the proposal; that text is applied. `remember` and
 * `acceptsEdits` count only where they were offered. `cancelled`: the run was stopped or the window closed before anybody
 * decided; nothing runs.
 */
export type ApprovalDecision =
  | ({
      readonly action: 'allow';
      readonly editedText?: string | undefined;
      readonly editedTexts?: EditedTexts | undefined;
    } & AllowMore)
  | { readonly action: 'deny'; readonly reason?: string | undefined }
  | { readonly action: 'cancelled' };

/** The texts that a person typed into the proposals of several files, in their order. `undefined`: not changed. */
export type EditedTexts = readonly (string | undefined)[];

/** What a person allows besides this call. */
export interface AllowMore {
  /** The same call runs without a question from now on. */
  readonly remember?: RememberScope | undefined;
  /** Ordinary edits run without a question for the rest of this run. */
  readonly acceptsEdits?: boolean | undefined;
}

/** Whether ordinary edits run without a question: from the person's yes to the end of the run. */
export interface RunEdits {
  readonly areAccepted: () => boolean;
  readonly accept: () => void;
}

/** The files that a person allowed to read, by real path: from the yes to the end of the run. */
export interface RunReads {
  readonly allowed: () => readonly string[];
  readonly allow: (realPath: string) => void;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** Called with decisions about single hunks before the whole edit is decided: one state for each of `splitHunks`. */
  readonly onHunks?: ((states: readonly HunkState[]) => void) | undefined;
}

/** The port to the one who decides: panel and diff editor, a terminal, or nobody. */
export interface Approver {
  /** Aborting `signal` withdraws the question and answers `cancelled`. A rejection counts as a denial. */
  ask(request: ApprovalRequest, options: AskOptions): Promise<ApprovalDecision>;
}

/**
 * What the approval hook calls to have a person decide. The session gives the request its id, shows it, asks the
 * `Approver` and shows the answer. Aborting `signal` takes the question back: `cancelled`. Never rejects: an approver
 * that fails counts as a denial.
 */
export type ApprovalAsk = (
  request: Omit<ApprovalRequest, 'id' | 'sessionId'>,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalDecision>;
