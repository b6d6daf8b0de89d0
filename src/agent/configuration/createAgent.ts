import type { McpOffer } from '../../mcp/mcpServers';
import { Client } from '../../sdk/client';
import type { AgentOptions } from '../../sdk/configuration/options';
import { AgentError } from '../../sdk/errors';
import type { ModelLogger } from '../../sdk/model/modelLogger';
import { withCheckpoints, type CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import type { CommandOptions } from '../../workspace/tools/workspaceAccess';
import { createTools } from '../../workspace/tools/createTools';
import type { Root, WorkspacePorts } from '../../workspace/ports';
import { createApprovalHook } from '../approval/approvalHook';
import { createCommandAssessor, type CommandMachine } from '../approval/commandAssessor';
import type { RuleStore } from '../approval/ruleStore';
import type { UnseenEdits } from '../approval/unseenEdits';
import { whenTrusted } from './whenTrusted';
import type { AgentConfiguration } from './chooseAgent';
import type { CreateClient } from './sessionClient';
import type { ExtensionTool } from '../extensionTools/extensionTool';
import { serverInstructions } from '../prompts/serverInstructions';
import { systemPrompt } from '../prompts/system';
import type { CacheWarmer } from '../servers/model/cacheWarmer';
import { connectToServer } from '../servers/connect';
import type { KeyStore } from '../servers/keys';
import type { LearnedQuirks } from '../servers/learnedQuirks';
import { promptLimit } from './promptLimit';
import { missingTools, usableTools } from './toolFilter';
import { withWishes } from './withWishes';
import { connectModel } from '../servers/model/modelConnection';
import { modelOptionsFor } from '../servers/model/modelOptions';
import { lacksTools, noToolsWarning } from '../servers/model/toolSupport';
import type { FoundServer } from '../servers/probe/serverProbe';
import type { SlotQueue } from '../servers/model/slotQueue';

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
  /** What deciding about commands needs of the machine. Absent: every command asks. */
  readonly commandMachine?: CommandMachine | undefined;
  /** What the person allowed and forbade. Absent: nothing, and nothing can be remembered. */
  readonly rules?: RuleStore | undefined;
  /** What the agent changed unseen. Absent: nobody keeps count, as where nothing can be allowed that it matters for. */
  readonly unseenEdits?: UnseenEdits | undefined;
  /** How commands run now; asked at each call. Absent: unconfined, and in no terminal. */
  readonly commandOptions?: (() => CommandOptions) | undefined;
  /** Keeps what files hold before a tool changes them. Absent: nothing can be taken back. */
  readonly checkpoints?: Omit<CheckpointParts, 'record'> | undefined;
  /** What MCP servers have, asked for anew for every client; must not reject. Absent: no servers. */
  readonly mcp?: (() => Promise<McpOffer>) | undefined;
  /** The tools of other extensions, likewise. Absent: there are none. */
  readonly extensionTools?: (() => readonly ExtensionTool[]) | undefined;
  /** What else every client is given. */
  readonly clientOptions?: Pick<AgentOptions, 'toolChoice' | 'outputSchema'> | undefined;
  /** Hears, once, what a person should know who chose this agent. */
  readonly warn?: ((message: string) => void) | undefined;
  readonly fetch: typeof fetch;
  readonly logger?: ModelLogger | undefined;
  /** Hears what is of use in a log and to nobody else. */
  readonly note?: ((message: string) => void) | undefined;
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
  const ownTools = createTools({ ports, roots, commandOptions: parts.commandOptions }).map((tool) =>
    whenTrusted(tool, isTrusted),
  );
  const machine = parts.commandMachine;
  const assessCommand = machine && createCommandAssessor({ machine, ports, roots });
  const warned = new Set<string>();
  const warnOnce = (message: string): void => {
    if (!warned.has(message)) parts.warn?.(message);
    warned.add(message);
  };
  return async ({
    history,
    sessionId,
    ask,
    runEdits,
    recordCheckpoint,
    isForPrompt = false,
    promptCount = 0,
    wishes,
    yieldsSlots,
  }) => {
    const settings = withWishes(parts.settings(), wishes);
    const { profileId, agentId, maxTurns, includeHistory = true } = settings;
    // No server is started for a workspace that is not trusted.
    const offer = isTrusted() ? await parts.mcp?.() : undefined;
    const extensionTools = isTrusted() ? (parts.extensionTools?.() ?? []) : [];
    const serverTools = [...(offer?.tools ?? []), ...extensionTools];
    const tools = [
      ...ownTools,
      ...serverTools.map((tool) => ({ ...whenTrusted(tool, isTrusted), server: tool.server })),
    ];
    const allowedTools = usableTools(tools, settings, agentId);
    for (const name of missingTools(tools, settings)) {
      warnOnce(`Agent "${agentId}": includeTools: ${name} needs VS Code, so the agent works without it here.`);
    }
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
    const known = outcome.connection.server ?? parts.serverAt?.(baseUrl);
    if (known && lacksTools(known, model)) warnOnce(noToolsWarning(model));
    const options = modelOptionsFor(settings.modelOptions, model);
    const connection = connectModel({
      baseUrl,
      model,
      apiKey,
      server: known,
      contextWindow: settings.contextWindow,
      options,
      slots,
      yieldsSlots,
      quirks: parts.quirks,
      warmer: parts.warmer,
      onServer: (server) => {
        if (server.slots !== undefined) slots.setSize(baseUrl, server.slots);
        if (lacksTools(server, model)) warnOnce(noToolsWarning(model));
      },
      fetch,
      logger,
      note: parts.note,
    });
    const client = new Client({
      ...parts.clientOptions,
      systemPrompt: systemPrompt({
        roots: roots(),
        shellName: ports.commandRunner.shellName,
        platform,
        addition: settings.systemPrompt,
        serverInstructions: serverInstructions(
          (offer?.instructions ?? []).filter(({ server }) =>
            serverTools.some((tool) => tool.server === server && allowedTools.includes(tool.name)),
          ),
        ),
      }),
      model,
      baseUrl,
      tools: parts.checkpoints
        ? tools.map((tool) => withCheckpoints(tool, { ...parts.checkpoints!, record: recordCheckpoint }))
        : tools,
      provider: connection.provider,
      compaction: { contextWindow: connection.contextWindow, countTokens: connection.countTokens },
      replayReasoning: options.replayReasoning,
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
      approvalHook: createApprovalHook({
        ask,
        isTrusted,
        mode: () => parts.settings().permissionMode,
        assessCommand,
        rules: parts.rules?.ofSession(sessionId),
        runEdits,
        unseenEdits: parts.unseenEdits,
      }),
    });
    return { client, profile: profileId, agent: agentId, omitsHistory, isForOnePrompt: !includeHistory };
  };
}
