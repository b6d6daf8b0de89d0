import type { ModelProvider } from '../../../sdk/model/modelProvider';
import type { OwnServerAccess } from '../access/ownServerAccess';

/** Wraps a provider of our own server: has the server started before a request. */
export function withStart(
  provider: ModelProvider,
  { isReady, start }: Pick<OwnServerAccess, 'isReady' | 'start'>,
): ModelProvider {
  return {
    async *stream(request, { signal }) {
      if (!isReady()) yield { type: 'status', status: 'loading_model' };
      const error = await start(signal);
      if (error) yield { type: 'error', error, partial: [] };
      else yield* provider.stream(request, { signal });
    },
  };
}
