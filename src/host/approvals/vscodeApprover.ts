import type { AllowMore, ApprovalDecision, ApprovalRequest, Approver, AskOptions } from '../../agent/approval/approver';
import type { EditPlan } from '../../workspace/plans';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { EditPreview } from '../diffPreview/editPreview';

export interface HunkChoice {
  /** From 0. */
  readonly hunk: number;
  readonly isKept: boolean;
  readonly sessionId?: string | undefined;
  /** Has the whole edit be decided once each of its hunks is: applied, or denied when none is left. */
  readonly isFinal?: boolean | undefined;
}

export interface VscodeApproverParts {
  readonly preview: EditPreview;
  /** Whether this session is the one on screen: edits of others wait until the person opens them. */
  readonly isOnScreen: (sessionId: string) => boolean;
  readonly onInternalError: (error: unknown) => void;
}

/** A question about an edit that nobody has answered yet. */
export interface PendingEdit extends ApprovalRequest {
  readonly plan: EditPlan;
}

interface Pending {
  readonly request: ApprovalRequest;
  readonly settle: (decision: ApprovalDecision) => void;
  readonly onHunks: AskOptions['onHunks'];
}

/**
 * Asks the person at the window. A question is answered once, from the card, the diff editor's title or the keyboard,
 * whichever comes first; after that its id means nothing any more.
 */
export class VscodeApprover implements Approver, Disposable {
  readonly #parts: VscodeApproverParts;
  readonly #pending = new Map<string, Pending>();
  readonly #changes: Emitter<void>;
  readonly #subscription: Disposable;

  constructor(parts: VscodeApproverParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
    this.#subscription = parts.preview.onHunksChanged(({ requestId, states }) =>
      this.#pending.get(requestId)?.onHunks?.(states),
    );
  }

  /** Tells that `hasPendingEdit` may have another answer now. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  get hasPendingEdit(): boolean {
    return this.pendingEdits().length > 0;
  }

  /** The edits that wait, of one session or of all, in the order in which they were asked about. */
  pendingEdits(sessionId?: string): readonly PendingEdit[] {
    return [...this.#pending.values()].flatMap(({ request }) => {
      const { plan } = request;
      const isMeant = sessionId === undefined || request.sessionId === sessionId;
      return plan.kind === 'edit' && isMeant ? [{ ...request, plan }] : [];
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
      // Of several edits that wait together the first comes on screen by itself, and the next once it is decided.
      const isFirst = this.pendingEdits(request.sessionId).length === 0;
      this.#pending.set(request.id, { request, settle, onHunks });
      this.#changes.emit();
      if (isFirst && this.#parts.isOnScreen(request.sessionId)) this.#showProposal(request, false);
    });
  }

  /** Allows what is asked, with what was typed into the proposal, and `more` where it was offered. False: the question is not open (any more). */
  approve(requestId: string, sessionId?: string, more: AllowMore = {}): boolean {
    const request = this.#find(requestId, sessionId)?.request;
    if (!request) return false;
    const editedText = request.plan.kind === 'edit' ? this.#parts.preview.editedText(requestId) : undefined;
    const wasOpen = this.#settle(requestId, {
      action: 'allow',
      ...(editedText !== undefined && { editedText }),
      ...more,
    });
    if (more.acceptsEdits && request.offers?.acceptsEdits) {
      // Those that wait already are edits of this run as well, where the same may be answered to them.
      for (const other of this.pendingEdits(request.sessionId)) if (other.offers?.acceptsEdits) this.approve(other.id);
    }
    return wasOpen;
  }

  /** Refuses it. `reason` is told to the model. False: the question is not open (any more). */
  deny(requestId: string, reason?: string, sessionId?: string): boolean {
    if (!this.#find(requestId, sessionId)) return false;
    const words = reason?.trim();
    return this.#settle(requestId, words ? { action: 'deny', reason: words } : { action: 'deny' });
  }

  /** Decides about one hunk of an edit. False: the question is not open (any more). Rejects when it cannot be done. */
  async decideHunk(requestId: string, { hunk, isKept, sessionId, isFinal = false }: HunkChoice): Promise<boolean> {
    const plan = this.#find(requestId, sessionId)?.request.plan;
    if (plan?.kind !== 'edit') return false;
    const { preview } = this.#parts;
    const states = await preview.decideHunk(requestId, plan, hunk, isKept);
    if (!isFinal || states.includes('open')) return true;
    const isNothingLeft = !states.includes('accepted') && preview.editedText(requestId) === (plan.before ?? '');
    return isNothingLeft ? this.deny(requestId) : this.approve(requestId);
  }

  isPending(requestId: string): boolean {
    return this.#pending.has(requestId);
  }

  /** Shows a proposed edit in the diff editor, for a person who asked for it. False: there is no such question. */
  showProposal(requestId: string, sessionId?: string): boolean {
    const request = this.#find(requestId, sessionId)?.request;
    return request !== undefined && this.#showProposal(request, true);
  }

  dispose(): void {
    for (const requestId of [...this.#pending.keys()]) this.#settle(requestId, { action: 'cancelled' });
    this.#subscription.dispose();
    this.#changes.dispose();
  }

  #showProposal({ id, plan }: ApprovalRequest, takeFocus: boolean): boolean {
    if (plan.kind !== 'edit') return false;
    // The card works without the diff editor, so that a failure here decides nothing.
    this.#parts.preview.open(id, plan, { takeFocus }).catch(this.#parts.onInternalError);
    return true;
  }

  #find(requestId: string, sessionId: string | undefined): Pending | undefined {
    const pending = this.#pending.get(requestId);
    return sessionId === undefined || pending?.request.sessionId === sessionId ? pending : undefined;
  }

  #settle(requestId: string, decision: ApprovalDecision): boolean {
    const pending = this.#pending.get(requestId);
    if (!pending) return false;
    this.#pending.delete(requestId);
    pending.settle(decision);
    const { plan, sessionId } = pending.request;
    if (plan.kind === 'edit') {
      const { preview, isOnScreen, onInternalError } = this.#parts;
      const [next] = this.pendingEdits(sessionId);
      preview.close(requestId).catch(onInternalError);
      const isNext = next && decision.action !== 'cancelled' && isOnScreen(sessionId);
      if (isNext && !preview.isInReview(next.id)) this.#showProposal(next, false);
    }
    this.#changes.emit();
    return true;
  }
}
