/** Receives values in arrays, as they come. */
export interface ArraySink<T> {
  /** Takes the next values. Those after them may come when it has returned, or when its promise has resolved. Never rejects. */
  take(values: readonly T[]): void | Promise<void>;
  /** Nobody wants more. To be asked after each `take`. */
  readonly hasLeft: boolean;
}

/** Sends values to a sink until they are over, or the sink has left. */
export type SendTo<T> = (sink: ArraySink<T>) => Promise<void>;

/**
 * The values of `send`, one by one. It begins when the first is asked for. The next array is taken when all values before it were
 * read and one more is asked for. Leaving waits until `send` has ended. Fails as `send` does.
 */
export function oneByOne<T>(send: SendTo<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new OneByOne(send) };
}

class OneByOne<T> implements AsyncIterator<T, void, undefined>, ArraySink<T> {
  readonly #send: SendTo<T>;
  #sending: Promise<void> | undefined;
  #isOver = false;
  #failure: { readonly error: unknown } | undefined;
  #values: readonly T[] = [];
  #index = 0;
  /** The value that is asked for and has not come. */
  #asked: Promise<IteratorResult<T, void>> | undefined;
  #answer: ((result: Promise<IteratorResult<T, void>> | IteratorResult<T, void>) => void) | undefined;
  /** Lets the sender go on. */
  #goOn: (() => void) | undefined;
  hasLeft = false;

  constructor(send: SendTo<T>) {
    this.#send = send;
  }

  next(): Promise<IteratorResult<T, void>> {
    const asked = this.#asked;
    if (asked) {
      const again = (): Promise<IteratorResult<T, void>> => this.next();
      return asked.then(again, again);
    }
    if (this.#index < this.#values.length) {
      return Promise.resolve({ done: false, value: this.#values[this.#index++] as T });
    }
    if (this.#isOver || this.hasLeft) return this.#end();
    const answered = new Promise<IteratorResult<T, void>>((resolve) => (this.#answer = resolve));
    this.#asked = answered;
    if (this.#sending) this.#goOn?.();
    else this.#sending = this.#start();
    return answered;
  }

  take(values: readonly T[]): void | Promise<void> {
    if (values.length === 0 || this.hasLeft) return undefined;
    this.#values = values;
    this.#index = 1;
    this.#settle({ done: false, value: values[0] as T });
    return new Promise<void>((resolve) => (this.#goOn = resolve));
  }

  async return(): Promise<IteratorResult<T, void>> {
    await this.#asked?.catch(() => {});
    this.hasLeft = true;
    this.#values = [];
    this.#goOn?.();
    await this.#sending;
    return this.#end();
  }

  async #start(): Promise<void> {
    try {
      await this.#send(this);
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    if (this.#asked) this.#settle(this.#end());
  }

  #settle(result: Promise<IteratorResult<T, void>> | IteratorResult<T, void>): void {
    this.#asked = undefined;
    this.#answer?.(result);
  }

  /** The end, or once the failure. */
  async #end(): Promise<IteratorResult<T, void>> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    return { done: true, value: undefined };
  }
}
