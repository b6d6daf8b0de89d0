import type { Disposable } from '../disposable';
import type { SetTimer } from '../timer';

export interface ThrottleParts<T> {
  /** Milliseconds. */
  readonly everyMs: number;
  readonly setTimer: SetTimer;
  readonly pass: (value: T) => void;
}

/** Passes values on, at most one in `everyMs`. A value that comes sooner waits; a newer one replaces it. The last one is never lost. */
export class Throttle<T> implements Disposable {
  readonly #parts: ThrottleParts<T>;
  #timer: Disposable | undefined;
  #waiting: { readonly value: T } | undefined;

  constructor(parts: ThrottleParts<T>) {
    this.#parts = parts;
  }

  give(value: T): void {
    if (this.#timer) this.#waiting = { value };
    else this.#pass(value);
  }

  /** Drops what waits. */
  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #pass(value: T): void {
    const { everyMs, setTimer, pass } = this.#parts;
    this.#timer = setTimer(() => {
      const waiting = this.#waiting;
      this.dispose();
      if (waiting) this.#pass(waiting.value);
    }, everyMs);
    pass(value);
  }
}
