import type { AgentErrorInfo } from './errors';
import { AgentError } from './errors';
import type { ModelProvider } from './model/modelProvider';
import type { ResolvedOptions } from './options';

/** The provider the options name: their own, or the OpenAI-compatible one, whose code is loaded with the first request. */
export function providerOf(options: ResolvedOptions): ModelProvider {
  if (options.provider) return options.provider;
  const { baseUrl, apiKey, timeoutMs, allowLenientToolJson } = options;
  return lazyProvider(async () => {
    const { createOpenAIProvider } = await import('./model/openaiProvider');
    return createOpenAIProvider({ baseUrl, apiKey, silenceTimeoutMs: timeoutMs, allowLenientToolJson });
  });
}

/** A provider that is made when it is first asked. What keeps it from being made is the answer to that request. */
export function lazyProvider(create: () => Promise<ModelProvider>): ModelProvider {
  let created: Promise<ModelProvider> | undefined;
  return {
    async *stream(request, options) {
      let provider: ModelProvider;
      try {
        created ??= create();
        provider = await created;
      } catch (error) {
        created = undefined;
        yield { type: 'error', error: infoOf(error), partial: [] };
        return;
      }
      yield* provider.stream(request, options);
    },
  };
}

function infoOf(error: unknown): AgentErrorInfo {
  if (error instanceof AgentError) return error.toInfo();
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'invalid_state', message: `The model provider could not be loaded: ${reason}` };
}
