import type { ModelProvider } from '../../../sdk/model/modelProvider';

export interface LookBesideParts {
  readonly isKnown: () => boolean;
  /** Asks the server what it is. Must not reject. */
  readonly look: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * `provider`, with a look at its server beside each request until the server is known. A request does not wait for the
 * look, and the look ends with the request at the latest.
 */
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
