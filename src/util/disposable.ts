/** Something with a lifetime. `dispose` may be called more than once. */
export interface Disposable {
  dispose(): void;
}

/** Collects disposables and ends them in reverse order of construction. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Keeps `item` until `dispose`; once the store is disposed, `item` is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (let item = this.#items.pop(); item; item = this.#items.pop()) item.dispose();
  }
}

/** A disposable that runs `end` once. */
export function toDisposable(end: () => void): Disposable {
  let isDone = false;
  return {
    dispose() {
      if (isDone) return;
      isDone = true;
      end();
    },
  };
}
