import type { CountTokens } from '../../../sdk/context/compactionOptions';
import type { ModelLogger } from '../../../sdk/model/modelLogger';
import type { ModelProvider } from '../../../sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../sdk/model/openaiProvider';
import { GONE_DELAYS_MS } from '../../../sdk/model/http/goneServer';
import { withRetry } from '../../../sdk/model/http/retryingProvider';
import { createQuirkMemory } from '../../../sdk/model/wire/serverQuirks';
import type { CacheWarmer } from './cacheWarmer';
import { WindowWatch } from './contextWindow';
import { withBusyServer, withFullServer } from './fullServer';
import type { LearnedQuirks } from '../learnedQuirks';
import { templateLacksTools, withTemplateTools } from './toolSupport';
import { lookBeside } from './lookBeside';
import { withToolCalls, type ModelOptions } from './modelOptions';
import type { OwnServerAccess } from '../access/ownServerAccess';
import { probeServer, type FoundServer, type ProbeOptions } from '../probe/serverProbe';
import { createServerTokenizer } from './serverTokenizer';
import { windowRemedy } from '../remedies';
import { withSlot, type SlotQueue } from './slotQueue';
import { withStart } from './startServer';

export interface ModelConnectionParts {
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  /** The probed server. Absent: not known yet. */
  readonly server: FoundServer | undefined;
  /** The setting, in tokens; `null`: not set. */
  readonly contextWindow: number | null;
  readonly options: ModelOptions;
  readonly slots: SlotQueue;
  /** The conversation, for gateways: see `createOpenAIProvider`. Absent: requests belong to none. */
  readonly sessionId?: string | undefined;
  /** Other requests go first. */
  readonly yieldsSlots?: boolean | undefined;
  readonly quirks?: LearnedQuirks | undefined;
  readonly warmer?: CacheWarmer | undefined;
  /** Called with each new probe of a server that was not known before. */
  readonly onServer?: ((server: FoundServer) => void) | undefined;
  readonly fetch: typeof fetch;
  /** The server that Open Agent runs. Absent: requests start none. */
  readonly ownServer?: OwnServerAccess | undefined;
  readonly logger?: ModelLogger | undefined;
  /** Gets messages for a log only. */
  readonly note?: ((message: string) => void) | undefined;
}

export interface ModelConnection {
  readonly provider: ModelProvider;
  /** In tokens; `undefined`: not known yet. */
  readonly contextWindow: () => number | undefined;
  readonly countTokens: CountTokens;
  /** Remembers that the server drops the start of prompts with more tokens. */
  readonly noteSmallerWindow: (tokens: number) => void;
  /** How to start this kind of server with a window of so many tokens, for people. */
  readonly windowAdvice: (tokens: number) => string;
}

/** Waits at most three and a half seconds in all, so a missing server is reported soon. */
const MAX_RETRIES = 3;

/**
 * Connects to one model of one server, with learned quirks, slots, retries, a warm cache, its context window and its token
 * counts. Sends nothing yet.
 */
export function connectModel(parts: ModelConnectionParts): ModelConnection {
  const { baseUrl, model, apiKey, server, slots, warmer, fetch, logger, options, onServer, note = () => {} } = parts;
  const lacksTemplateTools = (): boolean => window.server !== undefined && templateLacksTools(window.server, model);
  const learned = withTemplateTools(parts.quirks?.memoryFor(baseUrl) ?? createQuirkMemory(), lacksTemplateTools);
  const quirks = withToolCalls(learned, options.toolCalls);
  const reportsProgress = (): boolean => window.server?.kind === 'llama.cpp';
  const openai = createOpenAIProvider({
    baseUrl,
    apiKey,
    silenceTimeoutMs: null,
    fetch,
    logger,
    quirks,
    reportsProgress,
    sessionId: parts.sessionId,
  });
  // A request holds no slot while it waits for a retry or for a start. Warming the cache starts nothing.
  const slotted = withBusyServer(withSlot(openai, slots, baseUrl, { yields: parts.yieldsSlots }), slots, baseUrl);
  const started = parts.ownServer?.isFor(apiKey) ? withStart(slotted, parts.ownServer) : slotted;
  const queued = withRetry(started, {
    maxRetries: MAX_RETRIES,
    goneDelaysMs: GONE_DELAYS_MS,
  });
  const look = async (signal: AbortSignal): Promise<FoundServer | undefined> => {
    const found = await lookAt(baseUrl, { apiKey, fetch, signal });
    if (found) onServer?.(found);
    return found;
  };
  const window = new WindowWatch({ model, setting: options.contextWindow ?? parts.contextWindow, server, look });
  const patient = withFullServer(queued, { baseUrl, slots, contextWindow: () => window.current?.tokens });
  const keepsCache = (): boolean => window.server?.kind === 'llama.cpp';
  const warmed = warmer ? warmer.wrap(patient, openai, baseUrl, keepsCache) : patient;
  // A server from the settings is not probed first: it may be slow or asleep.
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
    contextWindow: () => {
      const { tokens, source } = window.current ?? {};
      const { contextCap } = quirks.get(model);
      // The server's own word and the person's count more than what was concluded.
      const isKnown = source === 'loaded' || source === 'setting';
      return isKnown || contextCap === null ? tokens : Math.min(tokens ?? contextCap, contextCap);
    },
    noteSmallerWindow: (tokens) => quirks.learn(model, { ...quirks.get(model), contextCap: tokens }),
    windowAdvice: (tokens) =>
      windowRemedy(parts.ownServer?.isFor(apiKey) ? 'own' : (window.server?.kind ?? 'unknown'), tokens).text,
    // The server's kind may be known only after the first probe.
    countTokens: async (request, { signal }) => {
      const kind = window.server?.kind;
      if (kind === undefined) return undefined;
      // A failure would count for ever.
      if (parts.ownServer?.isFor(apiKey) && !parts.ownServer.isReady()) return undefined;
      tokenizer ??= createServerTokenizer({ kind, baseUrl, apiKey, fetch, quirks, onProblem: note });
      return tokenizer?.(request, { signal });
    },
  };
}

/** Probes the server; `undefined` when it does not answer. */
async function lookAt(baseUrl: string, options: ProbeOptions): Promise<FoundServer | undefined> {
  try {
    const probe = await probeServer(baseUrl, options);
    return probe.ok ? probe : undefined;
  } catch (error) {
    // The run was stopped.
    if (options.signal.aborted) return undefined;
    throw error;
  }
}
