import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';

export interface QuietTimes {
  /** How long to wait for a first event, in milliseconds. */
  readonly firstMs: number;
  /** How long to wait for a further event. */
  readonly quietMs: number;
  /** The longest wait in total. */
  readonly mostMs: number;
}

/** Waits for the last of several events about one change. Listens from its construction on. */
export class QuietWait implements Disposable {
  readonly #schedule: SetTimer;
  readonly #times: QuietTimes;
  readonly #subscription: Disposable;
  #hasHeard = false;
  #again = (): void => {};

  constructor(on: (listener: () => void) => Disposable, times: QuietTimes, schedule: SetTimer) {
    this.#times = times;
    this.#schedule = schedule;
    this.#subscription = on(() => {
      this.#hasHeard = true;
      this.#again();
    });
  }

  /** Whether an event has come. */
  get hasHeard(): boolean {
    return this.#hasHeard;
  }

  /** Resolves when events have come and stopped, when none comes in time, or when `signal` is aborted. */
  async settled({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { firstMs, quietMs, mostMs } = this.#times;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timer.dispose();
        limit.dispose();
        signal.removeEventListener('abort', done);
        this.#again = () => {};
        resolve();
      };
      let timer = this.#schedule(done, this.#hasHeard ? quietMs : firstMs);
      const limit = this.#schedule(done, mostMs);
      this.#again = () => {
        timer.dispose();
        timer = this.#schedule(done, quietMs);
      };
      signal.addEventListener('abort', done, { once: true });
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
