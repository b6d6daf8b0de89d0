/** How long work goes on before other work gets a turn, in milliseconds. */
const SLICE_MS = 8;
/** How many steps a slice has at most, however fast they are. */
export const STEPS_OF_SLICE = 2_000;

/** Lets long synchronous work pause, so that it never blocks for long. */
export class Slices {
  #startedMs = performance.now();
  #steps = 0;

  /** To be asked after each small piece of work. */
  isOver(): boolean {
    this.#steps += 1;
    return this.#steps >= STEPS_OF_SLICE || performance.now() - this.#startedMs > SLICE_MS;
  }

  /** Rejects with the signal's reason when that is aborted. */
  async pause(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    this.#startedMs = performance.now();
    this.#steps = 0;
  }
}
