import type { AgentHost } from './agentHost';

/** The part of the extension that is loaded on first use. */
export interface LazyHost {
  /** Loads it; every caller gets the same one. A load that failed is tried again. */
  readonly get: () => Promise<AgentHost>;
  /** What is loaded or being loaded, without starting it. */
  readonly ifLoaded: () => Promise<AgentHost> | undefined;
}

export function createLazyHost(load: () => Promise<AgentHost>): LazyHost {
  let loading: Promise<AgentHost> | undefined;
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
