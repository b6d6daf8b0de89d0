import * as l10n from '../../../util/l10n';
import { estimatePromptTokens } from '../../../sdk/context/tokenCount';
import type { AgentErrorInfo } from '../../../sdk/errors';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../sdk/model/modelProvider';
import { delay } from '../../../util/async/delay';
import type { SlotQueue } from './slotQueue';

export interface FullServerParts {
  readonly baseUrl: string;
  readonly slots: SlotQueue;
  /** The context window of the model in tokens; `undefined`: not known. */
  readonly contextWindow: () => number | undefined;
  /** Resolves after the milliseconds, or when the signal is aborted. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** About a minute in all. */
const delaysMs = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Room for the error of the estimate. A prompt with more of the window may really be too long. */
const largestShare = 0.6;

/**
 * Wraps a provider that waits for slots. A server or gateway that has no place for a request answers 429: then one request
 * less is sent at once. Each further answer brings it closer to the number that the server reports.
 */
export function withBusyServer(provider: ModelProvider, slots: SlotQueue, baseUrl: string): ModelProvider {
  return {
    async *stream(request, { signal }) {
      for await (const event of provider.stream(request, { signal })) {
        // The request still holds its slot.
        if (event.type === 'error' && isBusy(event.error)) slots.noteBusy(baseUrl);
        if (event.type === 'response_end') slots.noteAnswer(baseUrl);
        yield event;
      }
    },
  };
}

/** Whether a server has no place for a request now. A spent quota does not come back within minutes. */
function isBusy({ status, message }: AgentErrorInfo): boolean {
  return status === 429 && !/quota|billing|credit/i.test(message);
}

/**
 * Wraps `provider`. The slots of llama-server share one cache by default. When other requests fill it, the server says
 * that the context size was exceeded, of a prompt that fits easily. Then fewer requests are sent at once, and this one
 * again after a wait. Without this, a conversation would be compacted in vain. A request that a busy server rejected is
 * sent again, too.
 */
export function withFullServer(provider: ModelProvider, parts: FullServerParts): ModelProvider {
  const { wait = delay } = parts;
  return {
    async *stream(request, { signal }) {
      for (let attempt = 1; ; attempt += 1) {
        let full: AgentErrorInfo | undefined;
        for await (const event of provider.stream(request, { signal })) {
          full = fullError(event, request, parts);
          if (full === undefined) {
            yield event;
            continue;
          }
          if (full.code === 'server_full') parts.slots.sendFewer(parts.baseUrl);
          const delayMs = delaysMs[attempt - 1];
          const mayRepeat = event.type === 'error' && event.partial.length === 0 && delayMs !== undefined;
          if (!mayRepeat || signal.aborted) {
            yield { type: 'error', error: full, partial: event.type === 'error' ? event.partial : [] };
            return;
          }
          yield { type: 'retry', attempt, maxRetries: delaysMs.length, delayMs, error: full };
          break;
        }
        if (full === undefined) return;
        // The loop above has ended the request, so its slot is free.
        await wait(delaysMs[attempt - 1] ?? 0, signal);
      }
    },
  };
}

/** What is wrong if the server is full; `undefined` for any other event. */
function fullError(
  event: ModelEvent,
  request: ModelRequest,
  { baseUrl, contextWindow }: FullServerParts,
): AgentErrorInfo | undefined {
  if (event.type !== 'error') return undefined;
  // It names its reason. `withBusyServer` has made the requests fewer.
  if (isBusy(event.error)) return event.error;
  if (event.error.code !== 'context_overflow') return undefined;
  const { contextLimit, promptTokens, status } = event.error;
  const window = contextWindow();
  const tokens = estimatePromptTokens(request);
  // A server that means this prompt names its length.
  if (contextLimit !== undefined || promptTokens !== undefined || window === undefined) return undefined;
  if (tokens > window * largestShare) return undefined;
  return {
    code: 'server_full',
    ...(status !== undefined && { status }),
    message: l10n.t(
      'The server at {0} has no room for another request: its slots share {1} tokens, and this prompt needs only about {2}. Start llama-server with --parallel 1, or with a larger --ctx-size.',
      baseUrl,
      window,
      tokens,
    ),
  };
}
