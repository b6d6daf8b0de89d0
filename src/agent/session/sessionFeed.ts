import { Emitter } from '../../util/emitter';
import { foldSession } from '../view/fold/foldSession';
import { sentInstructions } from '../view/prompt/instructionSections';
import { unsavedNotice } from '../view/notices/notices';
import type { SessionEvent } from '../view/sessionEvents';
import type { SessionNotice, SessionState, SessionView, WaitingItem } from '../view/sessionView';
import type { PendingPrompt } from './waitingPrompts';

export interface SessionFeedParts {
  /** The first view. */
  readonly view: SessionView;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Gets the error of a listener that throws. */
  readonly onInternalError: (error: unknown) => void;
}

type Happening<T = SessionEvent> = T extends SessionEvent ? Omit<T, 'ts'> : never;

/** Tells the events of a session to its listeners and folds them into the view. */
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

  /** The current view. Immutable; each event makes a new one. */
  get view(): SessionView {
    return this.#view;
  }

  /** Listens to events from now on. When a listener is called, `view` includes the event. */
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

  /** Removes the notices about what runs changed: about the run of a prompt, or all. */
  dismissSummaries(promptId?: string): void {
    for (const item of this.#view.items) {
      const about = item.kind === 'notice' ? item.notice.promptId : undefined;
      if (about !== undefined && (promptId === undefined || about === promptId)) this.dismissNotice(item.id);
    }
  }

  dismissNotice(id: string): void {
    this.tell({ type: 'notice_dismissed', id });
  }

  setState(state: SessionState): void {
    if (this.#view.state !== state) this.tell({ type: 'state_changed', state });
  }

  /** Sets the number of open questions. Only a running session shows it. */
  showPending(count: number): void {
    const { state } = this.#view;
    if (state !== 'running' && state !== 'waiting_for_approval') return;
    this.setState(count > 0 ? 'waiting_for_approval' : 'running');
  }

  /** Shows prompts that the model got, and those that still wait. Does nothing if there are none. */
  showSent(sent: readonly PendingPrompt[], waiting: readonly WaitingItem[]): void {
    for (const { id, text, contextLabels, content, images } of sent) {
      const instructions = sentInstructions(content);
      const more = { ...(images && { images }), ...(instructions.length > 0 && { instructions }) };
      this.tell({ type: 'prompt_added', id, text, contextLabels, ...more });
    }
    if (sent.length > 0) this.tell({ type: 'waiting_changed', waiting });
  }

  /** Shows why the session's file cannot be written, until it can. */
  showWriteState(error: Error | undefined): void {
    if (this.#unsavedNoticeId !== undefined) this.dismissNotice(this.#unsavedNoticeId);
    this.#unsavedNoticeId = error && this.#parts.newId();
    if (error && this.#unsavedNoticeId !== undefined) this.notice(unsavedNotice(this.#unsavedNoticeId, error));
  }

  /** Removes the notices that offer to retry or continue: a new run begins. */
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
