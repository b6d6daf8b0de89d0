/**
 * A queue from many producers to one consumer. `push` never blocks; iteration waits. `close` and `fail` take effect
 * after the items pushed before them.
 */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;
  #failure: { readonly error: unknown } | undefined;

  push(value: T): void {
    if (this.#isClosed) return;
    this.#values.push(value);
    this.#signal();
  }

  close(): void {
    this.#isClosed = true;
    this.#signal();
  }

  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#failure = { error };
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    while (true) {
      while (this.#values.length > 0) yield this.#values.shift() as T;
      if (this.#isClosed) break;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#failure) throw this.#failure.error;
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
