import type { ServerQuirks } from '../../sdk/model/wire/serverQuirks';
import type { McpOffer } from '../../mcp/mcpServers';
import { Client } from '../../sdk/client';
import type { AgentOptions } from '../../sdk/configuration/agentOptions';
import { AgentError } from '../../sdk/errors';
import type { StopHook } from '../../sdk/hooks';
import type { ImagePart } from '../../sdk/messages';
import type { ModelLogger } from '../../sdk/model/modelLogger';
import { withCheckpoints, type CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import type { CommandOptions } from '../../workspace/tools/workspaceAccess';
import { createTools } from '../../workspace/tools/createTools';
import { languageServerTools } from '../../workspace/tools/workspaceToolNames';
import { bundledGrammars } from '../../workspace/shell/parse/bundledGrammars';
import type { Root, WorkspacePorts } from '../../workspace/ports';
import type { SessionProblems } from '../../workspace/sessionProblems';
import { createApprovalHook } from '../approval/approvalHook';
import { createCommandAssessor, type CommandMachine } from '../approval/commandAssessor';
import type { RuleStore } from '../approval/rules/ruleStore';
import type { OfferSandbox } from '../approval/sandbox/sandboxOffer';
import type { UnseenEdits } from '../approval/unseenEdits';
import { whenTrusted } from './whenTrusted';
import type { AgentConfiguration } from './chooseAgent';
import type { CreateClient, CreateClientInput } from './sessionClient';
import { CheckRounds } from '../runSummary/checkRounds';
import { RepairRounds } from '../runSummary/repairRounds';
import { RoundHistory, type WorseRound } from '../runSummary/roundHistory';
import type { ExtensionTool } from '../extensionTools/extensionTool';
import { serverInstructions } from '../prompts/serverInstructions';
import { systemPrompt } from '../prompts/system';
import type { CacheWarmer } from '../servers/model/cacheWarmer';
import type { OwnServerAccess } from '../servers/access/ownServerAccess';
import { connectToServer } from '../servers/connectToServer';
import type { KeyStore } from '../servers/keys';
import type { LearnedQuirks } from '../servers/learnedQuirks';
import { promptLimit } from './promptLimit';
import { missingTools, usableTools } from './toolFilter';
import { rememberProblems } from './rememberProblems';
import { withLateProblems } from './withLateProblems';
import { withWishes } from './withWishes';
import { gatewaySession } from '../servers/model/gatewaySession';
import { connectModel } from '../servers/model/modelConnection';
import { modelOptionsFor } from '../servers/model/modelOptions';
import { lacksTools, noToolsWarning } from '../servers/model/toolSupport';
import type { FoundServer } from '../servers/probe/serverProbe';
import type { SlotQueue } from '../servers/model/slotQueue';

export interface AgentParts {
  /** Read for every client, so that a change applies to the next one. */
  readonly settings: () => AgentConfiguration;
  readonly ports: WorkspacePorts;
  readonly roots: () => readonly Root[];
  readonly isTrusted: () => boolean;
  readonly keys: KeyStore;
  /** One for the whole process: it limits the requests of all sessions to a server. */
  readonly slots: SlotQueue;
  /** Known quirks of the servers. Absent: every client finds them out again. */
  readonly quirks?: LearnedQuirks | undefined;
  /** Keeps the prompt caches of servers warm. Absent: nothing does. */
  readonly warmer?: CacheWarmer | undefined;
  /** The known server at a base URL. */
  readonly serverAt?: ((baseUrl: string) => FoundServer | undefined) | undefined;
  /** Lets commands be assessed. Absent: every command asks. */
  readonly commandMachine?: CommandMachine | undefined;
  /** The person's rules. Absent: there are none, and none can be added. */
  readonly rules?: RuleStore | undefined;
  /** The agent's edits that nobody has looked at. Absent: they are not tracked. */
  readonly unseenEdits?: UnseenEdits | undefined;
  /** Tries the sandbox for commands. Absent: in the mode `sandbox`, everything asks that asks in the mode `ask`. */
  readonly offerSandbox?: OfferSandbox | undefined;
  /** How commands run; read for each call. Absent: unconfined, and in no terminal. */
  readonly commandOptions?: (() => CommandOptions) | undefined;
  /** See `WorkspaceAccess`. */
  readonly scaleImage?: ((image: ImagePart) => Promise<ImagePart>) | undefined;
  /** Keeps the content of files before a tool changes them. Absent: changes cannot be undone. */
  readonly checkpoints?: Omit<CheckpointParts, 'record'> | undefined;
  /**
   * The command that checks the work: asks the person if they have chosen none; `undefined`: they want none. Absent: the
   * setting `checks: command` does nothing.
   */
  readonly checkCommand?: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** The tools of MCP servers; read for every client, must not reject. Absent: no servers. */
  readonly mcp?: (() => Promise<McpOffer>) | undefined;
  /** The tools of other extensions, likewise. Absent: there are none. */
  readonly extensionTools?: (() => readonly ExtensionTool[]) | undefined;
  /** More options for every client. */
  readonly clientOptions?: Pick<AgentOptions, 'toolChoice' | 'outputSchema'> | undefined;
  /** Gets each warning about the chosen agent once, for people. */
  readonly warn?: ((message: string) => void) | undefined;
  readonly fetch: typeof fetch;
  /** The server that Open Agent runs. Absent: requests start none. */
  readonly ownServer?: OwnServerAccess | undefined;
  readonly logger?: ModelLogger | undefined;
  /** Gets messages for the log. */
  readonly note?: ((message: string) => void) | undefined;
  /** As in `process.platform`. */
  readonly platform: string;
  /** The ports to try when no server is set. */
  readonly discoveryPorts?: readonly number[] | undefined;
}

/**
 * A coding agent: workspace tools, system prompt and approval hook, on the server and model of the settings. The returned
 * function rejects with an `AgentError` when there is no server or model.
 */
export function createAgent(parts: AgentParts): CreateClient {
  const { ports, roots, keys, slots, fetch, logger, platform, isTrusted } = parts;
  const problemsOf = rememberProblems(ports.diagnostics);
  const machine = parts.commandMachine;
  const assessCommand = machine && createCommandAssessor({ machine, ports, roots, grammars: bundledGrammars() });
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
    runReads,
    recordCheckpoint,
    beforeEnd,
    runFacts,
    isForPrompt = false,
    promptCount = 0,
    wishes,
    yieldsSlots,
    isInPanel = () => true,
  }) => {
    const settings = withWishes(parts.settings(), wishes);
    const problems = problemsOf(sessionId);
    const rounds = problems && new RepairRounds(problems);
    // Nobody sits before a program, or a chat elsewhere, to choose a command.
    const checks = parts.checkCommand && !wishes ? new CheckRounds(parts.checkCommand) : undefined;
    const roundHistory = problems && new RoundHistory((signal) => countErrors(problems, signal));
    const findRound = async (signal: AbortSignal): Promise<string | undefined> => {
      const mode = parts.settings().checks;
      if (mode === 'problems') return rounds?.next(signal);
      return mode === 'command' && isInPanel() ? checks?.next(runFacts?.(), signal) : undefined;
    };
    const nextRound = async (signal: AbortSignal): Promise<string | undefined> => {
      const round = await findRound(signal);
      if (round !== undefined) await roundHistory?.startRound(signal);
      return round;
    };
    // Known once the model is.
    let takesImages = (): boolean => false;
    const ownTools = createTools({
      ports,
      roots,
      commandOptions: parts.commandOptions,
      problems,
      takesImages: () => takesImages(),
      scaleImage: parts.scaleImage,
    }).map((tool) => whenTrusted(tool, isTrusted));
    const { profileId, agentId, maxTurns, includeHistory = true } = settings;
    // An untrusted workspace starts no server.
    const offer = isTrusted() ? await parts.mcp?.() : undefined;
    const extensionTools = isTrusted() ? (parts.extensionTools?.() ?? []) : [];
    const serverTools = [...(offer?.tools ?? []), ...extensionTools];
    // Decided once for an epoch, because the tools are at the start of each request.
    const knowsCode = isTrusted() && (await ports.codeNavigation?.isReady()) === true;
    const tools = [
      ...ownTools.filter(({ name }) => knowsCode || !languageServerTools.includes(name)),
      ...serverTools.map((tool) => ({ ...whenTrusted(tool, isTrusted), server: tool.server })),
    ];
    const allowedTools = usableTools(tools, settings, agentId);
    for (const name of missingTools(tools, settings)) {
      const need = ports.diagnostics ? 'a language server that answers' : 'VS Code';
      warnOnce(`Agent "${agentId}": includeTools: ${name} needs ${need}, so the agent works without it here.`);
    }
    const offerHere: OfferSandbox = async (cwd) =>
      parts.offerSandbox && isInPanel()
        ? parts.offerSandbox(cwd)
        : { ok: false, problem: 'this conversation is not in the panel.' };
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
    if (known && lacksTools(known, model)) warnOnce(noToolsWarning(known, model));
    const options = modelOptionsFor(settings.modelOptions, model);
    let seen = known;
    takesImages = () => options.images ?? modelTakesImages(seen, model, parts.quirks?.memoryFor(baseUrl).get(model));
    const connection = connectModel({
      baseUrl,
      model,
      apiKey,
      server: known,
      contextWindow: settings.contextWindow,
      options,
      slots,
      sessionId: gatewaySession(sessionId),
      yieldsSlots,
      quirks: parts.quirks,
      warmer: parts.warmer,
      onServer: (server) => {
        seen = server;
        if (server.slots !== undefined) slots.setSize(baseUrl, server.slots);
        if (lacksTools(server, model)) warnOnce(noToolsWarning(server, model));
      },
      fetch,
      ownServer: parts.ownServer,
      logger,
      note: parts.note,
    });
    const client = new Client({
      ...parts.clientOptions,
      ...(wishes?.outputSchema && { outputSchema: wishes.outputSchema }),
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
      tools: tools
        .map((tool) => (problems ? withLateProblems(tool, problems) : tool))
        .map((tool) =>
          parts.checkpoints
            ? withCheckpoints(tool, {
                ...parts.checkpoints,
                record: recordCheckpoint,
                onSandboxed: (changes) => parts.unseenEdits?.addSandboxed(changes, roots()),
              })
            : tool,
        ),
      provider: connection.provider,
      compaction: {
        contextWindow: connection.contextWindow,
        countTokens: connection.countTokens,
        windowAdvice: connection.windowAdvice,
        onSmallerWindow: connection.noteSmallerWindow,
      },
      replayReasoning: options.replayReasoning,
      allowedTools,
      autoExecuteTools: true,
      maxToolIterations: settings.maxToolIterations,
      // An unset value is not sent: a local server's defaults are its owner's choice.
      temperature: settings.temperature ?? null,
      topP: settings.topP,
      topK: settings.topK,
      maxTokens: settings.maxTokens ?? null,
      reasoningEffort: settings.reasoningEffort,
      thinking: settings.thinking,
      extraBody: settings.extraBody,
      timeoutMs: null,
      history: omitsHistory ? [] : history,
      hooks: {
        UserPromptSubmit: [
          ...(maxTurns === undefined ? [] : [promptLimit(maxTurns, promptCount, agentId)]),
          () => rounds?.begin(),
          () => checks?.begin(),
          () => roundHistory?.begin(),
        ],
        Stop: [tellFacts(problems, nextRound, beforeEnd)],
      },
      approvalHook: createApprovalHook({
        ask,
        isTrusted,
        mode: () => parts.settings().permissionMode,
        assessCommand,
        rules: parts.rules?.ofSession(sessionId),
        runEdits,
        runReads,
        unseenEdits: parts.unseenEdits,
        // Without checkpoints nothing could be undone. A program, or a chat elsewhere, shows no sign of the mode.
        offerSandbox: wishes || !parts.checkpoints ? undefined : offerHere,
      }),
    });
    const findWorseRound = async (): Promise<WorseRound | undefined> =>
      roundHistory?.findWorse(new AbortController().signal);
    return {
      client,
      profile: profileId,
      agent: agentId,
      omitsHistory,
      isForOnePrompt: !includeHistory,
      findWorseRound,
    };
  };
}

/** As the server says, unless it has rejected an image. Where it says nothing, a request with an image could fail. */
function modelTakesImages(
  server: Pick<FoundServer, 'models'> | undefined,
  model: string,
  quirks: Pick<ServerQuirks, 'images'> | undefined,
): boolean {
  if (quirks?.images === false) return false;
  return server?.models.find(({ id }) => id === model)?.hasVision === true;
}

async function countErrors(problems: SessionProblems, signal: AbortSignal): Promise<number> {
  return (await problems.newErrors(signal)).reduce((sum, { errors }) => sum + errors.length, 0);
}

/** What the model should know before its run ends: the problems that its edits brought, and what was checked. */
function tellFacts(
  problems: SessionProblems | undefined,
  nextRound: (signal: AbortSignal) => Promise<string | undefined>,
  beforeEnd: CreateClientInput['beforeEnd'],
): StopHook {
  return async ({ signal }) => {
    const round = await nextRound(signal);
    const late = await problems?.takeLate(signal);
    const facts = [round ?? late, await beforeEnd?.()].filter((part) => part !== undefined);
    return facts.length === 0 ? undefined : { action: 'continue', message: facts.join('\n\n') };
  };
}
