/** Something with a lifetime. `dispose` may be called more than once. */
export interface Disposable {
  dispose(): void;
}

/** Collects disposables and disposes them in reverse order. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Keeps `item` until `dispose`. Disposes it at once when the store is already disposed. */
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
