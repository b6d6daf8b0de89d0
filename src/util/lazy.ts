/** Something that is loaded on first use. */
export interface Lazy<T> {
  /** Loads it; every caller gets the same one. A load that failed is tried again. */
  readonly get: () => Promise<T>;
  /** What is loaded or being loaded, without starting it. */
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
