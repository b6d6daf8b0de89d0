import { toDisposable, type Disposable } from '../../util/disposable';

/**
 * How many runs there may be at once, those that wait for one of the model's slots included. The slots themselves are given
 * out request by request, first come, first served (agent/servers/slotQueue.ts), so a run whose tool works holds none.
 */
export class Admission {
  readonly #maxRuns: number;
  #open = 0;

  constructor(options: { readonly maxRuns: number }) {
    this.#maxRuns = options.maxRuns;
  }

  /** A place, until it is disposed; `undefined` when all are taken. */
  enter(): Disposable | undefined {
    if (this.#open >= this.#maxRuns) return undefined;
    this.#open += 1;
    return toDisposable(() => {
      this.#open -= 1;
    });
  }
}
