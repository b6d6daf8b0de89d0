import type { Disposable } from '../../../util/disposable';
import { asError } from '../../../util/errors';

/** `sent`: somebody called `noteSent` · `stalled`: no progress · `silent`: not even a byte. */
export type WatchSignal = 'sent' | 'stalled' | 'silent';

export type Watched<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: WatchSignal };

/**
 * Waits for the steps of a response and for what happens, or fails to happen, meanwhile. Its timers do not keep the
 * process alive; `dispose` ends them.
 */
export class StreamWatch implements Disposable {
  readonly #stallMs: number;
  #silence: NodeJS.Timeout | undefined;
  #stall: NodeJS.Timeout | undefined;
  #listener: ((signal: WatchSignal) => void) | undefined;
  #isSent = false;
  #isDisposed = false;

  constructor(options: { readonly silenceMs: number | null; readonly stallMs: number }) {
    this.#stallMs = options.stallMs;
    if (options.silenceMs !== null) {
      this.#silence = setTimeout(() => this.#listener?.('silent'), options.silenceMs);
      this.#silence.unref();
    }
  }

  /** The request is out. The next, or the present, `next` says so. */
  noteSent(): void {
    if (this.#listener) this.#listener('sent');
    else this.#isSent = true;
  }

  /** A byte came: silence is counted anew. */
  noteByte(): void {
    this.#silence?.refresh();
  }

  /** Something of the answer came: from now on, pauses are stalls. */
  noteProgress(): void {
    if (this.#isDisposed) return;
    if (this.#stall) {
      this.#stall.refresh();
      return;
    }
    this.#stall = setTimeout(() => this.#listener?.('stalled'), this.#stallMs);
    this.#stall.unref();
  }

  /**
   * Waits for `work` or a signal, whichever is first; after a signal, call it again with the same work. Time in which
   * nobody waits here is the reader's own and raises no signal. Rejects as `work` does.
   */
  next<T>(work: Promise<T>): Promise<Watched<T>> {
    if (this.#isSent) {
      this.#isSent = false;
      return Promise.resolve({ kind: 'sent' });
    }
    return new Promise((resolve, reject) => {
      this.#listener = (kind) => {
        this.#listener = undefined;
        resolve({ kind });
      };
      const settle = (): void => {
        this.#listener = undefined;
      };
      work.then(
        (value) => {
          settle();
          resolve({ kind: 'value', value });
        },
        (error: unknown) => {
          settle();
          reject(asError(error));
        },
      );
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#stall);
    this.#listener = undefined;
  }
}
