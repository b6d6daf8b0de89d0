import type { CountTokens } from '../../../sdk/context/contextBudget';
import type { ModelLogger } from '../../../sdk/model/modelLogger';
import type { ModelProvider } from '../../../sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../sdk/model/openaiProvider';
import { withRetry } from '../../../sdk/model/http/retryingProvider';
import { createQuirkMemory } from '../../../sdk/model/wire/serverQuirks';
import type { CacheWarmer } from './cacheWarmer';
import { WindowWatch } from './contextWindow';
import type { LearnedQuirks } from '../learnedQuirks';
import { lookBeside } from './lookBeside';
import { withToolCalls, type ModelOptions } from './modelOptions';
import { probeServer, type FoundServer, type ProbeOptions } from '../probe/serverProbe';
import { createServerTokenizer } from './serverTokenizer';
import { withSlot, type SlotQueue } from './slotQueue';

export interface ModelConnectionParts {
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** What is known of the server already. */
  readonly server: FoundServer | undefined;
  /** What the person says the model can hold, in tokens. */
  readonly contextWindow: number | null;
  readonly options: ModelOptions;
  readonly slots: SlotQueue;
  /** Its requests let those of others go first. */
  readonly yieldsSlots?: boolean | undefined;
  readonly quirks?: LearnedQuirks | undefined;
  readonly warmer?: CacheWarmer | undefined;
  /** Hears what a look at the server found, where it was not known before; more than once. */
  readonly onServer?: ((server: FoundServer) => void) | undefined;
  readonly fetch: typeof fetch;
  readonly logger?: ModelLogger | undefined;
  /** Hears what is of use in a log and to nobody else. */
  readonly note?: ((message: string) => void) | undefined;
}

export interface ModelConnection {
  readonly provider: ModelProvider;
  /** In tokens, as far as it is known by now. */
  readonly contextWindow: () => number | undefined;
  readonly countTokens: CountTokens;
}

/** At most three and a half seconds in all: a server that restarts is back by then or says that it loads; one that is not there should be named soon. */
const MAX_RETRIES = 3;

/**
 * One model of one server with everything around it: what was learned, slots, retries, a warm cache, its window and its
 * own token counts. Nothing is sent yet.
 */
export function connectModel(parts: ModelConnectionParts): ModelConnection {
  const { baseUrl, model, apiKey, server, slots, warmer, fetch, logger, options, onServer, note = () => {} } = parts;
  const quirks = withToolCalls(parts.quirks?.memoryFor(baseUrl) ?? createQuirkMemory(), options.toolCalls);
  const openai = createOpenAIProvider({ baseUrl, apiKey, silenceTimeoutMs: null, fetch, logger, quirks });
  // A request that waits to be made again holds no slot.
  const queued = withRetry(withSlot(openai, slots, baseUrl, { yields: parts.yieldsSlots }), {
    maxRetries: MAX_RETRIES,
  });
  const look = async (signal: AbortSignal): Promise<FoundServer | undefined> => {
    const found = await lookAt(baseUrl, { apiKey, fetch, signal });
    if (found) onServer?.(found);
    return found;
  };
  const window = new WindowWatch({ model, setting: options.contextWindow ?? parts.contextWindow, server, look });
  const keepsCache = (): boolean => window.server?.kind === 'llama.cpp';
  const warmed = warmer ? warmer.wrap(queued, openai, baseUrl, keepsCache) : queued;
  // A server that was taken as it is set is not asked first: it may be slow, or need a while to wake.
  const seen = lookBeside(warmed, {
    isKnown: () => window.server !== undefined,
    look: async (signal) => {
      const found = await look(signal);
      if (found) window.note(found);
    },
  });
  let tokenizer: CountTokens | undefined;
  return {
    provider: window.wrap(seen),
    contextWindow: () => window.current?.tokens,
    // The kind of the server may become known only with the first look at it.
    countTokens: async (request, { signal }) => {
      const kind = window.server?.kind;
      if (kind === undefined) return undefined;
      tokenizer ??= createServerTokenizer({ kind, baseUrl, apiKey, fetch, quirks, onProblem: note });
      return tokenizer?.(request, { signal });
    },
  };
}

/** What the server says of itself now; `undefined` when it says nothing. */
async function lookAt(baseUrl: string, options: ProbeOptions): Promise<FoundServer | undefined> {
  try {
    const probe = await probeServer(baseUrl, options);
    return probe.ok ? probe : undefined;
  } catch (error) {
    // The run was stopped meanwhile.
    if (options.signal.aborted) return undefined;
    throw error;
  }
}
