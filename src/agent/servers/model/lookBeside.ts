import type { ModelProvider } from '../../../sdk/model/modelProvider';

export interface LookBesideParts {
  readonly isKnown: () => boolean;
  /** Probes the server. Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<unknown>;
}

/** Wraps `provider`. Probes the server beside each request until it is known. The request does not wait for the probe, and ends it. */
export function lookBeside(provider: ModelProvider, { isKnown, look }: LookBesideParts): ModelProvider {
  return {
    async *stream(request, options) {
      const answered = new AbortController();
      const looking = isKnown() ? undefined : look(AbortSignal.any([options.signal, answered.signal]));
      try {
        yield* provider.stream(request, options);
      } finally {
        answered.abort();
        await looking;
      }
    },
  };
}
