import { delay } from '../../util/delay';

/** How long a connection that was given up may take to close; it takes no longer than a moment. */
const MAX_CLOSING_MS = 1_000;

/**
 * The connection of the newest request, so that the next one waits for its end: a server with one slot would be working
 * on both, or have the second wait for the first.
 */
export class NewestConnection {
  #gone: Promise<void> | undefined;

  readonly track = (gone: Promise<void>): void => {
    this.#gone = gone;
  };

  /** Resolves when it is closed, at once when there is none. Only for one that was answered or given up. */
  async gone(): Promise<void> {
    const gone = this.#gone;
    this.#gone = undefined;
    if (!gone) return;
    const timer = new AbortController();
    await Promise.race([gone, delay(MAX_CLOSING_MS, timer.signal)]);
    timer.abort();
  }
}
