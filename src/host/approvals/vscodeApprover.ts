import type { ApprovablePlan } from '../../agent/approval/approvablePlan';
import type {
  AllowMore,
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  AskOptions,
  EditedTexts,
} from '../../agent/approval/approver';
import { needsOwnAnswer, summarizeRequest } from '../../agent/approval/requests';
import type { EditPlan, EditsPlan } from '../../workspace/plans';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { EditPreview } from '../diffPreview/editPreview';

export interface HunkChoice {
  /** Counted from 0. */
  readonly hunk: number;
  readonly isKept: boolean;
  readonly sessionId?: string | undefined;
  /** Decides the whole edit once each hunk is decided: accepts it, or rejects it when no hunk is left. */
  readonly isFinal?: boolean | undefined;
}

export interface EditsAnswer {
  /** Absent: of any session. */
  readonly sessionId?: string | undefined;
  readonly isAccepted: boolean;
  /** For the model, when they are rejected. */
  readonly reason?: string | undefined;
}

/** How many edits were decided together, and how many wait for an answer of their own. */
export interface EditsAnswered {
  readonly decided: number;
  readonly left: number;
}

export interface VscodeApproverParts {
  readonly preview: EditPreview;
  /** Whether the panel shows this session. Edits of other sessions open only when the person asks for them. */
  readonly isOnScreen: (sessionId: string) => boolean;
  /** Shows the waiting edits of a session in one editor. Edits of several files are shown there only. */
  readonly showReview?: ((sessionId: string) => Promise<unknown>) | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/** The tool's name in a request that the person made: no model waits for the answer. */
export const personsEdit = 'apply_code';

/** An edit that waits for an answer. */
export interface PendingEdit extends ApprovalRequest {
  readonly plan: EditPlan | EditsPlan;
}

/** The proposals of an edit, one for each file, with their own ids. */
export function proposalsOf({ id, plan }: PendingEdit): readonly { readonly id: string; readonly plan: EditPlan }[] {
  if (plan.kind === 'edit') return [{ id, plan }];
  return plan.edits.map((edit, index) => ({ id: `${id}.${index}`, plan: edit }));
}

/** The request that a proposal belongs to. */
function requestOfProposal(proposalId: string): string {
  return proposalId.replace(/\.\d+$/, '');
}

interface Pending {
  readonly request: ApprovalRequest;
  readonly settle: (decision: ApprovalDecision) => void;
  readonly onHunks: AskOptions['onHunks'];
}

/**
 * Asks the person at the window. The first answer counts, from the card, the diff editor or the keyboard. Later answers
 * to the same id do nothing.
 */
export class VscodeApprover implements Approver, Disposable {
  readonly #parts: VscodeApproverParts;
  readonly #pending = new Map<string, Pending>();
  /** Edits whose diff was opened. */
  readonly #opened = new Set<string>();
  /** False while several edits are decided together. */
  #opensNext = true;
  readonly #changes: Emitter<void>;
  readonly #subscription: Disposable;

  constructor(parts: VscodeApproverParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
    this.#subscription = parts.preview.onHunksChanged(({ requestId, states }) =>
      this.#pending.get(requestId)?.onHunks?.(states),
    );
  }

  /** Tells when `hasPendingEdit` may have changed. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  get hasPendingEdit(): boolean {
    return this.pendingEdits().length > 0;
  }

  /** The edits that wait for an answer, oldest first, of one session or of all. */
  pendingEdits(sessionId?: string): readonly PendingEdit[] {
    return [...this.#pending.values()].flatMap(({ request }) => {
      const { plan } = request;
      const isMeant = sessionId === undefined || request.sessionId === sessionId;
      return isEdit(plan) && isMeant ? [{ ...request, plan }] : [];
    });
  }

  ask(request: ApprovalRequest, { signal, onHunks }: AskOptions): Promise<ApprovalDecision> {
    if (signal.aborted) return Promise.resolve({ action: 'cancelled' });
    return new Promise((resolve) => {
      const cancel = (): void => void this.#settle(request.id, { action: 'cancelled' });
      signal.addEventListener('abort', cancel, { once: true });
      const settle = (decision: ApprovalDecision): void => {
        signal.removeEventListener('abort', cancel);
        resolve(decision);
      };
      // Of several waiting edits only the first opens by itself; the next one opens after its decision.
      const isFirst = this.pendingEdits(request.sessionId).length === 0;
      this.#pending.set(request.id, { request, settle, onHunks });
      this.#changes.emit();
      if (isFirst && this.#parts.isOnScreen(request.sessionId)) this.#showProposal(request, false);
    });
  }

  /**
   * Allows the request, with the text typed into the proposal. `more` counts only where it was offered. False: the
   * request is not open (any more), or its card leaves out lines that no editor has shown.
   */
  approve(requestId: string, sessionId?: string, more: AllowMore = {}): boolean {
    const request = this.#find(requestId, sessionId)?.request;
    if (!request || !this.#isShownWhole(request)) return false;
    const allow = { action: 'allow', ...this.#typedTexts(request), ...more } as const;
    if (!more.acceptsEdits || !request.offers?.acceptsEdits) return this.#settle(request.id, allow);
    return this.#together([request], () => {
      const wasOpen = this.#settle(request.id, allow);
      // The waiting edits of this run are accepted too, where the same was offered.
      for (const other of this.pendingEdits(request.sessionId)) if (other.offers?.acceptsEdits) this.approve(other.id);
      return wasOpen;
    });
  }

  /** Denies the request. The model is told `reason`. False: the request is not open (any more). */
  deny(requestId: string, reason?: string, sessionId?: string): boolean {
    const request = this.#find(requestId, sessionId)?.request;
    if (!request) return false;
    const words = reason?.trim();
    return this.#settle(request.id, words ? { action: 'deny', reason: words } : { action: 'deny' });
  }

  /**
   * Accepts or rejects several edits of a session. Accepting leaves out those that need an answer of their own, and those
   * with lines that nobody could read.
   */
  answerEdits(requestIds: readonly string[], { sessionId, isAccepted, reason }: EditsAnswer): EditsAnswered {
    const meant = this.pendingEdits(sessionId).filter(({ id }) => requestIds.includes(id));
    const left = isAccepted ? meant.filter((edit) => needsOwnAnswer(edit, edit.plan)) : [];
    return this.#together(meant, () => {
      const decided = meant
        .filter((edit) => !left.includes(edit))
        .filter(({ id }) => (isAccepted ? this.approve(id) : this.deny(id, reason)));
      return { decided: decided.length, left: meant.length - decided.length };
    });
  }

  /**
   * Decides one hunk of an edit. Resolves with false when the request is not open (any more). Rejects when the proposal
   * cannot be changed.
   */
  async decideHunk(requestId: string, { hunk, isKept, sessionId, isFinal = false }: HunkChoice): Promise<boolean> {
    const request = this.#find(requestId, sessionId)?.request;
    const plan = proposalsOfAny(request).find(({ id }) => id === requestId)?.plan;
    if (!plan) return false;
    const { preview } = this.#parts;
    const states = await preview.decideHunk(requestId, plan, hunk, isKept);
    // An edit of several files is decided as a whole, by an answer of its own.
    if (!isFinal || request?.plan.kind === 'edits' || states.includes('open')) return true;
    const isNothingLeft = !states.includes('accepted') && preview.editedText(requestId) === (plan.before ?? '');
    return isNothingLeft ? this.deny(requestId) : this.approve(requestId);
  }

  isPending(requestId: string): boolean {
    return this.#pending.has(requestOfProposal(requestId));
  }

  /** Whether a key may accept the request. What could reveal secrets or run programs is accepted by a button only. */
  takesKeys(requestId: string): boolean {
    const request = this.#find(requestId, undefined)?.request;
    return request !== undefined && request.isSensitive !== true;
  }

  /** Shows a proposed edit in the diff editor and takes the focus. False: no such edit waits. */
  showProposal(requestId: string, sessionId?: string): boolean {
    const request = this.#find(requestId, sessionId)?.request;
    return request !== undefined && this.#showProposal(request, true);
  }

  dispose(): void {
    for (const requestId of [...this.#pending.keys()]) this.#settle(requestId, { action: 'cancelled' });
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  #showProposal({ id, plan, sessionId }: ApprovalRequest, takeFocus: boolean): boolean {
    if (plan.kind === 'edits') {
      // The editor for several files would take the focus, so it opens only when the person asks for it.
      if (takeFocus) this.#parts.showReview?.(sessionId).catch(this.#parts.onInternalError);
      return takeFocus;
    }
    if (plan.kind !== 'edit') return false;
    // The card works without the diff editor, so a failure here decides nothing.
    this.#opened.add(id);
    this.#parts.preview.open(id, plan, { takeFocus }).catch((error: unknown) => {
      this.#opened.delete(id);
      this.#parts.onInternalError(error);
    });
    return true;
  }

  /** Whether the person could read all that the request would do. */
  #isShownWhole(request: ApprovalRequest): boolean {
    const { preview } = this.#parts;
    const proposals = proposalsOfAny(request);
    const areInReview = proposals.length > 0 && proposals.every(({ id }) => preview.isInReview(id));
    if (this.#opened.has(request.id) || areInReview) return true;
    const summary = summarizeRequest(request);
    return summary.kind !== 'edit' || summary.unshownLines === undefined;
  }

  /** The texts that the person typed into the proposals. */
  #typedTexts(request: ApprovalRequest): { readonly editedText?: string; readonly editedTexts?: EditedTexts } {
    const texts = proposalsOfAny(request).map(({ id }) => this.#parts.preview.editedText(id));
    if (request.plan.kind === 'edits') return texts.some((text) => text !== undefined) ? { editedTexts: texts } : {};
    return texts[0] === undefined ? {} : { editedText: texts[0] };
  }

  /** By the id of the request, or of one of its proposals. */
  #find(requestId: string, sessionId: string | undefined): Pending | undefined {
    const pending = this.#pending.get(requestOfProposal(requestId));
    return sessionId === undefined || pending?.request.sessionId === sessionId ? pending : undefined;
  }

  /** Decides several requests. Opens the next edit of their sessions only at the end. */
  #together<Result>(requests: readonly ApprovalRequest[], decide: () => Result): Result {
    this.#opensNext = false;
    try {
      return decide();
    } finally {
      this.#opensNext = true;
      for (const id of new Set(requests.map(({ sessionId }) => sessionId))) this.#openNext(id);
    }
  }

  /** Shows the oldest waiting edit of a session on screen, unless the review shows it. */
  #openNext(sessionId: string): void {
    const [next] = this.pendingEdits(sessionId);
    const isInReview = next && proposalsOf(next).some(({ id }) => this.#parts.preview.isInReview(id));
    if (!next || !this.#parts.isOnScreen(sessionId) || isInReview) return;
    this.#showProposal(next, false);
  }

  #settle(requestId: string, decision: ApprovalDecision): boolean {
    const pending = this.#pending.get(requestId);
    if (!pending) return false;
    this.#pending.delete(requestId);
    this.#opened.delete(requestId);
    pending.settle(decision);
    const { plan, sessionId } = pending.request;
    if (isEdit(plan)) {
      const { preview, onInternalError } = this.#parts;
      for (const { id } of proposalsOfAny(pending.request)) preview.close(id).catch(onInternalError);
      if (decision.action !== 'cancelled' && this.#opensNext) this.#openNext(sessionId);
    }
    this.#changes.emit();
    return true;
  }
}

function isEdit(plan: ApprovablePlan): plan is EditPlan | EditsPlan {
  return plan.kind === 'edit' || plan.kind === 'edits';
}

/** None for a request that is no edit. */
function proposalsOfAny(request: ApprovalRequest | undefined): ReturnType<typeof proposalsOf> {
  const plan = request?.plan;
  return request && plan && isEdit(plan) ? proposalsOf({ ...request, plan }) : [];
}
