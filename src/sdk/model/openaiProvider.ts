import { AgentError } from '../errors';
import type { Fetch } from '../platform';
import { normalizeBaseUrl } from './http/baseUrl';
import { createLazyFetch } from './http/lazyFetch';
import type { ModelProvider } from './modelProvider';
import type { RequestOptions } from './requestOptions';
import { createProvider } from './sentEvents';
import { createQuirkMemory, type QuirkMemory } from './wire/serverQuirks';

/** The options of `createOpenAIProvider`. */
export interface OpenAIProviderOptions extends RequestOptions {
  readonly baseUrl: string;
  /** Empty or absent: sends no `authorization` header. */
  readonly apiKey?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Known quirks of the server. By default the provider learns them itself. */
  readonly quirks?: QuirkMemory | undefined;
  /**
   * Sent as a header with each request. A gateway that knows it keeps a conversation on one server, whose prompt cache then
   * holds. Letters, digits, `.`, `_`, `:` and `-`, at most 128.
   */
  readonly sessionId?: string | undefined;
  /** Whether the server is known to report how much of the prompt it has read. Asked before each request. */
  readonly reportsProgress?: (() => boolean) | undefined;
}

/**
 * A provider for servers with OpenAI's chat completions. Sends a request twice only while the server loads its model,
 * or when it rejects something that can be sent in another form. It remembers that form. Throws `invalid_options` for
 * an invalid base URL or session id.
 */
export function createOpenAIProvider(options: OpenAIProviderOptions): ModelProvider {
  const { sessionId } = options;
  if (sessionId !== undefined && !/^[\w.:-]{1,128}$/.test(sessionId)) {
    const message = 'A session id has letters, digits, ".", "_", ":" and "-", and at most 128 of them.';
    throw new AgentError({ code: 'invalid_options', message });
  }
  const connection = {
    baseUrl: normalizeBaseUrl(options.baseUrl),
    apiKey: options.apiKey?.trim() ?? '',
    fetch: options.fetch ?? createLazyFetch(),
    sessionId,
    quirks: options.quirks ?? createQuirkMemory(),
    reportsProgress: options.reportsProgress ?? (() => false),
  };
  return createProvider(async (request, { signal }, sink) => {
    // Most of the code. A program that only loads the SDK does without.
    const { sendResponse } = await import('./openaiRequest');
    await sendResponse(connection, options, { request, signal, sink });
  });
}
