import { Emitter } from '../../util/emitter';
import { foldSession } from '../view/foldSession';
import { unsavedNotice } from '../view/notices';
import type { SessionEvent } from '../view/sessionEvents';
import type { SessionNotice, SessionState, SessionView } from '../view/sessionView';

export interface SessionFeedParts {
  /** What a screen shows before anything happens. */
  readonly view: SessionView;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Gets the error of a listener that throws. */
  readonly onInternalError: (error: unknown) => void;
}

type Happening<T = SessionEvent> = T extends SessionEvent ? Omit<T, 'ts'> : never;

/** What happens in a session, told to its listeners, and what a screen shows after it. */
export class SessionFeed {
  readonly #parts: SessionFeedParts;
  readonly #events: Emitter<SessionEvent>;
  #view: SessionView;
  #unsavedNoticeId: string | undefined;

  constructor(parts: SessionFeedParts) {
    this.#parts = parts;
    this.#events = new Emitter(parts.onInternalError);
    this.#view = parts.view;
  }

  /** Immutable; each event makes a new one. */
  get view(): SessionView {
    return this.#view;
  }

  /** Listens to everything from now on; `view` already holds it when a listener is called. */
  get onEvent(): Emitter<SessionEvent>['on'] {
    return this.#events.on;
  }

  tell(happening: Happening): void {
    const event = { ...happening, ts: this.#parts.now() };
    this.#view = foldSession(this.#view, event);
    this.#events.emit(event);
  }

  notice(notice: SessionNotice): void {
    this.tell({ type: 'notice', notice });
  }

  dismissNotice(id: string): void {
    this.tell({ type: 'notice_dismissed', id });
  }

  setState(state: SessionState): void {
    if (this.#view.state !== state) this.tell({ type: 'state_changed', state });
  }

  /** How many questions are open, which only a run that goes on shows. */
  showPending(count: number): void {
    const { state } = this.#view;
    if (state !== 'running' && state !== 'waiting_for_approval') return;
    this.setState(count > 0 ? 'waiting_for_approval' : 'running');
  }

  /** Why nothing can be written to the session's file, for as long as that is so. */
  showWriteState(error: Error | undefined): void {
    if (this.#unsavedNoticeId !== undefined) this.dismissNotice(this.#unsavedNoticeId);
    this.#unsavedNoticeId = error && this.#parts.newId();
    if (error && this.#unsavedNoticeId !== undefined) this.notice(unsavedNotice(this.#unsavedNoticeId, error));
  }

  /** A new run answers what notices had offered to do. */
  withdrawOffers(): void {
    for (const item of this.#view.items) {
      if (item.kind !== 'notice') continue;
      if (item.notice.actions.some((action) => action === 'retry' || action === 'continue'))
        this.dismissNotice(item.id);
    }
  }

  dispose(): void {
    this.#events.dispose();
  }
}
