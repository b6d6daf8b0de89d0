import { toDisposable, type Disposable } from '../../util/disposable';

/**
 * Limits the number of runs at once, with those that wait for a slot of the model. Slots are given per request
 * (agent/servers/model/slotQueue.ts), so a run whose tool works holds none.
 */
export class Admission {
  readonly #maxRuns: number;
  #open = 0;

  constructor(options: { readonly maxRuns: number }) {
    this.#maxRuns = options.maxRuns;
  }

  /** Takes a place until it is disposed; `undefined` when all are taken. */
  enter(): Disposable | undefined {
    if (this.#open >= this.#maxRuns) return undefined;
    this.#open += 1;
    return toDisposable(() => {
      this.#open -= 1;
    });
  }
}
