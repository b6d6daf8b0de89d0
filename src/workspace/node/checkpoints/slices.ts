import { setImmediate } from 'node:timers/promises';

/** How long work goes on before other work gets a turn, in milliseconds. */
const SLICE_MS = 8;

/** Lets long synchronous work pause, so that it never blocks for long. */
export class Slices {
  #startedMs = performance.now();

  /** To be asked after each small piece of work. */
  isOver(): boolean {
    return performance.now() - this.#startedMs > SLICE_MS;
  }

  /** Rejects with the signal's reason when that is aborted. */
  async pause(signal: AbortSignal): Promise<void> {
    await setImmediate();
    signal.throwIfAborted();
    this.#startedMs = performance.now();
  }
}
