/** A point where code waits until the test lets it continue, so that no test depends on time. */
export interface Gate {
  /** Resolves when code waits at the gate. */
  readonly reached: Promise<void>;
  /** Lets everything through, now and later. */
  open(): void;
  /** Waits at the gate. */
  pass(): Promise<void>;
}

export function createGate(): Gate {
  const arrival = deferred();
  const opening = deferred();
  return {
    reached: arrival.promise,
    open: opening.resolve,
    pass: () => {
      arrival.resolve();
      return opening.promise;
    },
  };
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** `Promise.withResolvers` for Node 20. */
export function deferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
