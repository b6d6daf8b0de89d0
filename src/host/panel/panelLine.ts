import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { ToWebview } from '../../protocol/messages';
import { EventBatcher } from './eventBatcher';
import type { PanelPort } from './panelView';
import type { SetTimer } from '../../util/timer';

type Fact<T = ToWebview> = T extends ToWebview ? Omit<T, 'seq'> : never;

/**
 * The line to the webview, which comes and goes. From the moment its document is ready it is told everything, in order;
 * before and after that nothing.
 */
export class PanelLine {
  readonly #batcher: EventBatcher;
  #port: PanelPort | undefined;
  /** The webview's document has asked for its snapshot and is still there. */
  #isReady = false;
  #seq = 0;
  /** The session whose events wait in the batcher. */
  #sessionId: string | undefined;
  #wantsFocus = false;

  constructor(parts: { readonly schedule: SetTimer }) {
    this.#batcher = new EventBatcher({ schedule: parts.schedule, deliver: (events) => this.#deliver(events) });
  }

  attach(port: PanelPort): void {
    this.#port = port;
    this.#isReady = false;
  }

  /** Whether this port is the one in use: an older one is told nothing and listened to no more. */
  isAt(port: PanelPort): boolean {
    return port === this.#port;
  }

  /** Whether somebody is at its end. */
  get isOpen(): boolean {
    return this.#isReady;
  }

  detach(): void {
    this.#port = undefined;
    this.#isReady = false;
  }

  /** The document is gone; a new one will say that it is ready. */
  hide(): void {
    this.#isReady = false;
  }

  /** Says everything that there is, and from now on everything that happens. */
  open(snapshot: Fact<ToWebview & { type: 'snapshot' }>): void {
    this.#isReady = true;
    this.snapshot(snapshot);
    if (this.#wantsFocus) this.post({ type: 'focus_composer' });
    this.#wantsFocus = false;
  }

  snapshot(snapshot: Fact<ToWebview & { type: 'snapshot' }>): void {
    // What waits is in the view already.
    this.#batcher.clear();
    this.post(snapshot);
  }

  /** Sends a fact after everything that happened before it. */
  post(fact: Fact): void {
    this.#batcher.flush();
    this.#send(fact);
  }

  /** Sends an event of a session soon, with others. */
  push(sessionId: string, event: SessionEvent): void {
    if (!this.#isReady) return;
    if (sessionId !== this.#sessionId) this.#batcher.flush();
    this.#sessionId = sessionId;
    this.#batcher.push(event);
  }

  /** Sends at once what waits. */
  flush(): void {
    this.#batcher.flush();
  }

  /** Puts the focus where one types, as soon as that is there. */
  focusComposer(): void {
    if (this.#isReady) this.post({ type: 'focus_composer' });
    else this.#wantsFocus = true;
  }

  dispose(): void {
    this.#batcher.dispose();
    this.detach();
  }

  #deliver(events: readonly SessionEvent[]): void {
    if (this.#sessionId !== undefined) this.#send({ type: 'session_events', sessionId: this.#sessionId, events });
  }

  #send(fact: Fact): void {
    if (!this.#isReady) return;
    this.#seq += 1;
    this.#port?.post({ ...fact, seq: this.#seq });
  }
}
