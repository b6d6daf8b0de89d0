/**
 * A queue from many producers to one consumer. `push` never blocks; iteration waits. `close` and `fail` take effect
 * after the items pushed before them. `End` is what iteration returns at the end.
 */
export class AsyncQueue<T, End = void> implements AsyncIterable<T, End | undefined> {
  #values: T[] = [];
  #nextIndex = 0;
  readonly #waiting: ((result: Promise<Next<T, End>> | Next<T, End>) => void)[] = [];
  #isClosed = false;
  #endValue: End | undefined;
  #failure: { readonly error: unknown } | undefined;

  push(value: T): void {
    if (this.#isClosed) return;
    const answer = this.#waiting.shift();
    if (answer) answer({ done: false, value });
    else this.#values.push(value);
  }

  close(end?: End): void {
    if (!this.#isClosed) this.#endValue = end;
    this.#isClosed = true;
    for (const answer of this.#waiting.splice(0)) answer(this.#end());
  }

  fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#failure = { error };
    this.close();
  }

  get isEmpty(): boolean {
    return this.#nextIndex === this.#values.length;
  }

  /** Whether somebody waits for an item. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** The next item. No generator: it would cost each item several promises. */
  next(): Promise<Next<T, End>> {
    if (this.#nextIndex < this.#values.length) {
      const value = this.#values[this.#nextIndex++] as T;
      if (this.#nextIndex === this.#values.length) {
        this.#values = [];
        this.#nextIndex = 0;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#isClosed) return this.#end();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  [Symbol.asyncIterator](): AsyncIterator<T, End | undefined, undefined> {
    return { next: () => this.next() };
  }

  /** The end: once with its value, or the failure. */
  async #end(): Promise<Next<T, End>> {
    const failure = this.#failure;
    const value = this.#endValue;
    this.#failure = undefined;
    this.#endValue = undefined;
    if (failure) throw failure.error;
    return { done: true, value };
  }
}

type Next<T, End> = IteratorResult<T, End | undefined>;
