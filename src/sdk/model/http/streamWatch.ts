import type { Disposable } from '../../../util/disposable';
import { asError } from '../../../util/errors';

/** `sent`: `noteSent` was called · `stalled`: no progress · `silent`: no byte. */
export type WatchSignal = 'sent' | 'stalled' | 'silent';

export type Watched<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: WatchSignal };

/**
 * Waits for the steps of a response, and signals silence and stalls. Its timers do not keep the process alive;
 * `dispose` ends them.
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

  /** The request was sent. The current or next `next` returns that. */
  noteSent(): void {
    if (this.#listener) this.#listener('sent');
    else this.#isSent = true;
  }

  /** A byte came. Silence is measured from now. */
  noteByte(): void {
    this.#silence?.refresh();
  }

  /** A part of the answer came. Pauses are stalls from now on. */
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
   * Waits for `work` or the first signal. After a signal, call it again with the same work. Time between calls is the
   * reader's and raises no signal. Rejects as `work` does.
   */
  async next<T>(work: Promise<T>): Promise<Watched<T>> {
    let value: T;
    const kind = await this.ready((settle) => {
      work.then(
        (result) => {
          value = result;
          settle();
        },
        (error: unknown) => settle(asError(error)),
      );
    });
    return kind === 'ready' ? { kind: 'value', value: value! } : { kind };
  }

  /** The same for work that calls `settle` when it is done, with an error if it has failed. Costs one promise. */
  ready(begin: (settle: (error?: Error) => void) => void): Promise<WatchSignal | 'ready'> {
    if (this.#isSent) {
      this.#isSent = false;
      return Promise.resolve('sent');
    }
    return new Promise((resolve, reject) => {
      this.#listener = (signal) => {
        this.#listener = undefined;
        resolve(signal);
      };
      begin((error) => {
        this.#listener = undefined;
        if (error) reject(error);
        else resolve('ready');
      });
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#stall);
    this.#listener = undefined;
  }
}
