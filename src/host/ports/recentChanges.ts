import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';

export interface DoubtTimes {
  /** How long reports are doubted after the last of several changes, in milliseconds. */
  readonly leastMs: number;
  /** The same for servers that are slow at the moment. */
  readonly mostMs: number;
}

interface Parts {
  /** Calls the listener when something was reported about any file. */
  readonly on: (listener: () => void) => Disposable;
  readonly schedule: SetTimer;
  /** Milliseconds from any fixed point. */
  readonly now: () => number;
}

/** One change of a file, from before it is written. */
interface Change extends Disposable {
  /** The file has been written. */
  end(): void;
}

/** Changes that follow each other closely. */
interface Burst {
  readonly startMs: number;
  /** From the start to the first report. */
  reactionMs: number;
  begun: number;
  ended: number;
  lastMs: number;
  readonly listener: Disposable;
}

/**
 * Knows when a report may be about the state between two changes: the first file of a rename is written and the second is
 * not. Such a report may even arrive after the last change. No report names the texts that it is about, so only time shows
 * it: after the last change a server gets twice as long as it took for its first report.
 */
export class RecentChanges {
  readonly #times: DoubtTimes;
  readonly #parts: Parts;
  #burst: Burst | undefined;

  constructor(times: DoubtTimes, parts: Parts) {
    this.#times = times;
    this.#parts = parts;
  }

  /** To be called before a file is written. The caller disposes the result. */
  begin(): Change {
    const burst = this.#burstAt(this.#parts.now());
    burst.begun += 1;
    let isOpen = true;
    const close = (): boolean => {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) burst.begun -= 1;
      return wasOpen;
    };
    return {
      end: () => {
        if (!close()) return;
        burst.ended += 1;
        burst.lastMs = this.#parts.now();
      },
      dispose: () => void close(),
    };
  }

  /**
   * Waits while `hasNews` and what was reported may be about the state between two changes. Resolves at once after a single
   * change: its file was the same before. Resolves when `signal` is aborted.
   */
  async untilSure(hasNews: () => boolean, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const burst = this.#burst;
    if (signal.aborted || !burst || burst.ended < 2 || !hasNews()) return;
    const { leastMs, mostMs } = this.#times;
    const doubtMs = Math.min(mostMs, Math.max(leastMs, 2 * burst.reactionMs));
    const leftMs = burst.lastMs + doubtMs - this.#parts.now();
    if (leftMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        timer.dispose();
        listener.dispose();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.#parts.schedule(done, leftMs);
      const listener = this.#parts.on(() => {
        if (!hasNews()) done();
      });
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** The burst that a change belongs to which begins now. */
  #burstAt(nowMs: number): Burst {
    const last = this.#burst;
    if (last && (last.begun > 0 || nowMs - last.lastMs < this.#times.leastMs)) return last;
    last?.listener.dispose();
    const burst: Burst = {
      startMs: nowMs,
      reactionMs: 0,
      begun: 0,
      ended: 0,
      lastMs: nowMs,
      listener: this.#parts.on(() => {
        burst.reactionMs = this.#parts.now() - burst.startMs;
        burst.listener.dispose();
      }),
    };
    this.#burst = burst;
    return burst;
  }
}
