import { toDisposable, type Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { CallerWishes, CreateClient } from '../configuration/sessionClient';
import type { ApprovalAsk } from '../approval/approver';
import type { SetTimer } from '../../util/timer';

export interface ServedSessionsParts {
  /** How long a question of a served run waits for an answer. */
  readonly questionMs: () => number;
  readonly setTimer: SetTimer;
  /** Gets the error of a listener that throws. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The sessions whose answer a program waits for. Their clients follow the program's wishes and let other sessions go
 * first. Their questions say who asks, and are denied when nobody answers in time.
 */
export class ServedSessions implements Disposable {
  readonly #parts: ServedSessionsParts;
  readonly #wishes = new Map<string, CallerWishes>();
  readonly #waiting = new Map<string, number>();
  readonly #changes: Emitter<string>;

  constructor(parts: ServedSessionsParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells the id of a session whose number of open questions changed. */
  get onWaiting(): Emitter<string>['on'] {
    return this.#changes.on;
  }

  /** The sessions with an open question. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** A program waits for this session's answer until the result is disposed. */
  begin(sessionId: string, wishes: CallerWishes): Disposable {
    this.#wishes.set(sessionId, wishes);
    return toDisposable(() => this.#wishes.delete(sessionId));
  }

  /** Wraps `create` for the clients of served sessions. */
  createClient(create: CreateClient): CreateClient {
    return (input) => {
      const { sessionId, ask } = input;
      const wishes = this.#wishes.get(sessionId);
      if (!wishes) return create(input);
      return create({ ...input, wishes, yieldsSlots: true, ask: this.#askInTime(sessionId, ask) });
    };
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #askInTime(sessionId: string, ask: ApprovalAsk): ApprovalAsk {
    return async (question, { signal }) => {
      const { questionMs, setTimer } = this.#parts;
      const late = new AbortController();
      const waitMs = questionMs();
      const timer = setTimer(() => late.abort(), waitMs);
      try {
        const asked = ask({ ...question, askedBy: 'endpoint' }, { signal: AbortSignal.any([signal, late.signal]) });
        this.#count(sessionId, 1);
        const decision = await asked.finally(() => this.#count(sessionId, -1));
        if (decision.action !== 'cancelled' || signal.aborted || !late.signal.aborted) return decision;
        const result = question.plan.kind === 'edit' ? 'the edit was rejected' : 'the call was denied';
        return { action: 'deny', reason: `Nobody answered within ${minutes(waitMs)}, so ${result}.` };
      } finally {
        timer.dispose();
      }
    };
  }

  #count(sessionId: string, change: 1 | -1): void {
    const count = (this.#waiting.get(sessionId) ?? 0) + change;
    if (count > 0) this.#waiting.set(sessionId, count);
    else this.#waiting.delete(sessionId);
    this.#changes.emit(sessionId);
  }
}

function minutes(ms: number): string {
  const count = Math.round(ms / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
}
