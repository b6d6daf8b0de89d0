/** A value that is loaded on first use. */
export interface Lazy<T> {
  /** Loads the value. Every caller gets the same one. Loads again after a failure. */
  readonly get: () => Promise<T>;
  /** The value, loaded or loading. Does not start loading. */
  readonly ifLoaded: () => Promise<T> | undefined;
}

export function createLazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  return {
    get() {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    ifLoaded: () => loading,
  };
}

/** A function that makes its value when it is called first, and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
