import { Client } from '../sdk/client';
import { AgentError } from '../sdk/errors';
import type { ModelLogger } from '../sdk/model/modelLogger';
import { createOpenAIProvider } from '../sdk/model/openaiProvider';
import { withCheckpoints, type CheckpointParts } from '../workspace/checkpoints/withCheckpoints';
import { withRetry } from '../sdk/model/retryingProvider';
import { createTools } from '../workspace/tools/createTools';
import type { Root, WorkspacePorts } from '../workspace/ports';
import { createApprovalHook } from './approval/approvalHook';
import { whenTrusted } from './approval/whenTrusted';
import type { AgentConfiguration } from './chooseAgent';
import type { CreateClient } from './createClient';
import { systemPrompt } from './prompts/system';
import type { CacheWarmer } from './servers/cacheWarmer';
import { connectToServer } from './servers/connect';
import { WindowWatch } from './servers/contextWindow';
import type { KeyStore } from './servers/keys';
import type { LearnedQuirks } from './servers/learnedQuirks';
import { probeServer, type FoundServer, type ProbeOptions } from './servers/serverProbe';
import { withSlot, type SlotQueue } from './servers/slotQueue';
import { promptLimit } from './promptLimit';
import { usableTools } from './toolFilter';

export interface AgentParts {
  /** Read anew for every client, so that a change applies to the next one. */
  readonly settings: () => AgentConfiguration;
  readonly ports: WorkspacePorts;
  readonly roots: () => readonly Root[];
  readonly isTrusted: () => boolean;
  readonly keys: KeyStore;
  /** One for the whole process: it is what keeps sessions from crowding a server. */
  readonly slots: SlotQueue;
  /** What the servers were found not to take. Absent: every client finds out for itself. */
  readonly quirks?: LearnedQuirks | undefined;
  /** Keeps the caches of servers warm that have one. Absent: they stay as they are. */
  readonly warmer?: CacheWarmer | undefined;
  /** What is known of the server at a base URL already. */
  readonly serverAt?: ((baseUrl: string) => FoundServer | undefined) | undefined;
  /** Keeps what files hold before a tool changes them. Absent: nothing can be taken back. */
  readonly checkpoints?: Omit<CheckpointParts, 'record'> | undefined;
  readonly fetch: typeof fetch;
  readonly logger?: ModelLogger | undefined;
  /** As `process.platform` says it. */
  readonly platform: string;
  /** Where to look for a server when none is set. */
  readonly discoveryPorts?: readonly number[] | undefined;
}

/**
 * A working coding agent: the workspace tools, the system prompt and the approval hook, on the server and model of the
 * settings. The function it returns rejects with an `AgentError` when there is no server or model to work with.
 */
export function createAgent(parts: AgentParts): CreateClient {
  const { ports, roots, keys, slots, fetch, logger, platform, isTrusted } = parts;
  const tools = createTools({ ports, roots }).map((tool) => whenTrusted(tool, isTrusted));
  return async ({ history, ask, recordCheckpoint, isForPrompt = false, promptCount = 0 }) => {
    const settings = parts.settings();
    const { profileId, agentId, maxTurns, includeHistory = true } = settings;
    const allowedTools = usableTools(tools, settings, agentId);
    const omitsHistory = isForPrompt && !includeHistory;
    const outcome = await connectToServer(settings, {
      keys,
      fetch,
      signal: new AbortController().signal,
      ports: parts.discoveryPorts,
    });
    if (!outcome.ok) throw new AgentError(outcome.error);
    const { baseUrl, model, slots: slotCount } = outcome.connection;
    if (slotCount !== undefined) slots.setSize(baseUrl, slotCount);
    const apiKey = await keys.get(baseUrl);
    const openai = createOpenAIProvider({
      baseUrl,
      apiKey,
      silenceTimeoutMs: null,
      fetch,
      logger,
      quirks: parts.quirks?.memoryFor(baseUrl),
    });
    // A request that waits to be made again holds no slot.
    const queued = withRetry(withSlot(openai, slots, baseUrl), { maxRetries: MAX_RETRIES });
    const server = outcome.connection.server ?? parts.serverAt?.(baseUrl);
    const keepsCache = server?.kind === 'llama.cpp';
    const provider = keepsCache && parts.warmer ? parts.warmer.wrap(queued, openai, baseUrl) : queued;
    const window = new WindowWatch({
      model,
      setting: settings.contextWindow,
      server,
      look: (signal) => lookAt(baseUrl, { apiKey, fetch, signal }),
    });
    const client = new Client({
      systemPrompt: systemPrompt({
        roots: roots(),
        shellName: ports.commandRunner.shellName,
        platform,
        addition: settings.systemPrompt,
      }),
      model,
      baseUrl,
      provider: window.wrap(provider),
      compaction: { contextWindow: () => window.current?.tokens },
      tools: parts.checkpoints
        ? tools.map((tool) => withCheckpoints(tool, { ...parts.checkpoints!, record: recordCheckpoint }))
        : tools,
      allowedTools,
      autoExecuteTools: true,
      maxToolIterations: settings.maxToolIterations,
      // What is not set is not sent: a local server's own defaults are those its owner chose.
      temperature: settings.temperature ?? null,
      topP: settings.topP,
      topK: settings.topK,
      maxTokens: settings.maxTokens ?? null,
      reasoningEffort: settings.reasoningEffort,
      thinking: settings.thinking,
      extraBody: settings.extraBody,
      timeoutMs: null,
      history: omitsHistory ? [] : history,
      hooks: { UserPromptSubmit: maxTurns === undefined ? [] : [promptLimit(maxTurns, promptCount, agentId)] },
      approvalHook: createApprovalHook({ ask, isTrusted, mode: () => parts.settings().permissionMode }),
    });
    return { client, profile: profileId, agent: agentId, omitsHistory, isForOnePrompt: !includeHistory };
  };
}

/** At most three and a half seconds in all: a server that restarts is back by then or says that it loads; one that is not there should be named soon. */
const MAX_RETRIES = 3;

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
