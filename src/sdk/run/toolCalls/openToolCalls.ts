import { toolStopped } from '../../abort';

/** The unfinished calls of the current step. A person can stop one of them without ending the run. */
export class OpenToolCalls {
  readonly #calls = new Map<string, { readonly own: AbortController; readonly signal: AbortSignal }>();

  /** Opens calls. `runSignal` aborts all of them. */
  open(ids: readonly string[], runSignal: AbortSignal): void {
    this.#calls.clear();
    for (const id of ids) {
      const own = new AbortController();
      this.#calls.set(id, { own, signal: AbortSignal.any([runSignal, own.signal]) });
    }
  }

  signalOf(id: string): AbortSignal | undefined {
    return this.#calls.get(id)?.signal;
  }

  /** Stops one call, started or not. Returns `false` when no such call is open. */
  cancel(id: string): boolean {
    const call = this.#calls.get(id);
    call?.own.abort(toolStopped());
    return call !== undefined;
  }

  close(id: string): void {
    this.#calls.delete(id);
  }

  clear(): void {
    this.#calls.clear();
  }
}
