import type { ApprovalAsk, ApprovalDecision, ApprovalRequest, Approver, RunEdits, RunReads } from './approver';
import type { SessionEvent } from '../view/sessionEvents';
import type { ApprovalOutcome, HunkState } from '../view/approvalSummary';
import { outcomeOf, summarizeRequest } from './requests';
import { messageOf } from '../../util/errors';

export interface ApprovalDeskParts {
  readonly sessionId: string;
  readonly approver: Approver;
  readonly newId: () => string;
  readonly now: () => number;
  readonly emit: (event: SessionEvent) => void;
  /** How many questions are open now. */
  readonly onPending: (count: number) => void;
}

/** A decision about a call, for the session's file. */
export interface ApprovalRecord {
  readonly outcome: ApprovalOutcome;
  readonly reason?: string | undefined;
}

/** Asks the approver a session's questions, shows questions and answers, and keeps each answer for its call. */
export class ApprovalDesk {
  readonly #parts: ApprovalDeskParts;
  readonly #records = new Map<string, ApprovalRecord>();
  #pending = 0;
  #acceptsEdits = false;
  readonly #readFiles = new Set<string>();

  constructor(parts: ApprovalDeskParts) {
    this.#parts = parts;
  }

  readonly ask: ApprovalAsk = async (question, { signal }) => {
    if (signal.aborted) return { action: 'cancelled' };
    const { sessionId, newId, now, emit } = this.#parts;
    const request: ApprovalRequest = { ...question, id: newId(), sessionId };
    const { id: requestId, toolUseId } = request;
    emit({ type: 'approval_requested', approval: summarizeRequest(request), ts: now() });
    this.#count(1);
    const decision = await this.#decide(request, signal);
    const reason = decision.action === 'deny' ? decision.reason : undefined;
    const record: ApprovalRecord = { outcome: outcomeOf(request, decision), ...(reason !== undefined && { reason }) };
    this.#records.set(toolUseId, record);
    emit({ type: 'approval_resolved', requestId, toolUseId, ...record, ts: now() });
    this.#count(-1);
    return decision;
  };

  /** From a person's yes to the end of the run, ordinary edits run without a question. */
  readonly runEdits: RunEdits = {
    areAccepted: () => this.#acceptsEdits,
    accept: () => {
      this.#acceptsEdits = true;
    },
  };

  /** From a person's yes to the end of the run, an edit of a file that was read does not ask to read it again. */
  readonly runReads: RunReads = {
    allowed: () => [...this.#readFiles],
    allow: (realPath) => {
      this.#readFiles.add(realPath);
    },
  };

  /** Forgets what was allowed for the run before. */
  beginRun(): void {
    this.#acceptsEdits = false;
    this.#readFiles.clear();
  }

  /** The decision about a call. Forgets it: some servers use an id again. */
  takeRecord(toolUseId: string): ApprovalRecord | undefined {
    const record = this.#records.get(toolUseId);
    this.#records.delete(toolUseId);
    return record;
  }

  async #decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    let cancel = (): void => {};
    const aborted = new Promise<ApprovalDecision>((resolve) => {
      cancel = () => resolve({ action: 'cancelled' });
    });
    signal.addEventListener('abort', cancel, { once: true });
    const { now, emit } = this.#parts;
    const { id: requestId, toolUseId } = request;
    const onHunks = (states: readonly HunkState[]): void =>
      emit({ type: 'hunks_changed', requestId, toolUseId, states, ts: now() });
    try {
      // An answer of the approver after this is ignored.
      const decision = await Promise.race([this.#parts.approver.ask(request, { signal, onHunks }), aborted]);
      return signal.aborted ? { action: 'cancelled' } : decision;
    } catch (error) {
      if (signal.aborted) return { action: 'cancelled' };
      const message = messageOf(error);
      return { action: 'deny', reason: `The question could not be asked: ${message}` };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #count(change: 1 | -1): void {
    this.#pending += change;
    this.#parts.onPending(this.#pending);
  }
}
