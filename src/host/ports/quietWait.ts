import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';

export interface QuietTimes {
  /** How long to wait for a first event. */
  readonly firstMs: number;
  /** How long nothing more must come after one. */
  readonly quietMs: number;
  /** The longest wait of all. */
  readonly mostMs: number;
}

/** Events of which the last one counts, from now on: several may come for one change. */
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

  /** Whether there was an event yet. */
  get hasHeard(): boolean {
    return this.#hasHeard;
  }

  /** Resolves when events have come and then none for a moment, when none come in time, or when `signal` is aborted. */
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
