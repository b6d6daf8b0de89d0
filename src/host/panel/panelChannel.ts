import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { ToWebview } from '../../protocol/toWebview';
import { EventBatcher } from './eventBatcher';
import type { PanelPort } from './page/panelPage';
import type { SetTimer } from '../../util/timer';

/** A message to the webview; the channel adds its number. */
export type Fact<T = ToWebview> = T extends ToWebview ? Omit<T, 'seq'> : never;

/**
 * Sends facts to the webview, which comes and goes. A webview gets all facts in order from the moment it is ready;
 * before and after, none.
 */
export class PanelChannel {
  readonly #batcher: EventBatcher;
  #port: PanelPort | undefined;
  /** The webview's document has asked for its snapshot and is still there. */
  #isReady = false;
  #seq = 0;
  /** The session of the batched events. */
  #sessionId: string | undefined;
  #wantsFocus = false;

  constructor(parts: { readonly schedule: SetTimer }) {
    this.#batcher = new EventBatcher({ schedule: parts.schedule, deliver: (events) => this.#deliver(events) });
  }

  attach(port: PanelPort): void {
    this.#port = port;
    this.#isReady = false;
  }

  /** Whether this port is the current one. Older ports get and send nothing. */
  isAt(port: PanelPort): boolean {
    return port === this.#port;
  }

  /** Whether a webview is listening. */
  get isOpen(): boolean {
    return this.#isReady;
  }

  detach(): void {
    this.#port = undefined;
    this.#isReady = false;
  }

  /** The document is gone; a new one will say `ready`. */
  hide(): void {
    this.#isReady = false;
  }

  /** Sends a snapshot, and every fact from now on. */
  open(snapshot: Fact<ToWebview & { type: 'snapshot' }>): void {
    this.#isReady = true;
    this.snapshot(snapshot);
    if (this.#wantsFocus) this.post({ type: 'focus_composer' });
    this.#wantsFocus = false;
  }

  snapshot(snapshot: Fact<ToWebview & { type: 'snapshot' }>): void {
    // The snapshot holds the waiting events.
    this.#batcher.clear();
    this.post(snapshot);
  }

  /** Sends a fact after the waiting events. */
  post(fact: Fact): void {
    this.#batcher.flush();
    this.#send(fact);
  }

  /** Sends an event soon, together with others. */
  push(sessionId: string, event: SessionEvent): void {
    if (!this.#isReady) return;
    if (sessionId !== this.#sessionId) this.#batcher.flush();
    this.#sessionId = sessionId;
    this.#batcher.push(event);
  }

  /** Sends the waiting events at once. */
  flush(): void {
    this.#batcher.flush();
  }

  /** Focuses the composer, as soon as it exists. */
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
