import { createLazyFetch } from '../model/http/lazyFetch';
import type { ModelProvider } from '../model/modelProvider';
import { createOpenAIProvider } from '../model/openaiProvider';
import { withRetry } from '../model/http/retryingProvider';
import type { ResolvedOptions } from './options';

/**
 * The provider of the options, or the OpenAI-compatible one, which loads the `openai` package with its first request.
 */
export function providerOf(options: ResolvedOptions): ModelProvider {
  const { provider, baseUrl, apiKey, ca, timeoutMs, allowLenientToolJson, maxRetries, sessionId } = options;
  if (provider) return provider;
  const fetch = createLazyFetch({ ca });
  const openai = createOpenAIProvider({
    baseUrl,
    apiKey,
    fetch,
    silenceTimeoutMs: timeoutMs,
    allowLenientToolJson,
    sessionId,
  });
  return withRetry(openai, { maxRetries });
}
