import path from 'node:path';
import { noRules, RuleStore } from '../../agent/approval/rules/ruleStore';
import { UnseenEdits } from '../../agent/approval/unseenEdits';
import type { AgentConfiguration } from '../../agent/configuration/chooseAgent';
import { createAgent, type AgentParts } from '../../agent/configuration/createAgent';
import type { CreateClient } from '../../agent/configuration/sessionClient';
import { createOwnSkills } from '../../agent/customization/skills';
import { lookAtServer } from '../../agent/servers/connectToServer';
import type { ServerProbe } from '../../agent/servers/probe/serverProbe';
import { AgentError } from '../../sdk/errors';
import type { McpOffer } from '../../mcp/mcpServers';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { createNodeCommandWorld } from '../../workspace/node/commands/nodeCommandWorld';
import { findRipgrepOnPath } from '../../workspace/node/search/ripgrep/findRipgrep';
import { createRipgrepTextSearch } from '../../workspace/node/search/ripgrep/ripgrepTextSearch';
import type { AgentContext } from './createAgentContext';
import { configurationOf } from './agentConfiguration';
import { openShellCommands, type ShellCommands } from './openShellCommands';

export interface OpenAgent {
  readonly createClient: CreateClient;
  /** The current configuration. `change` replaces it. */
  readonly configuration: AgentConfiguration;
  /** Changes mode or model. A mode counts at once, a model from the next client on. */
  readonly change: (change: AgentChange) => void;
  /** Probes the server in use. Rejects only when `signal` is aborted. */
  readonly look: (signal: AbortSignal) => Promise<ServerProbe>;
  /** The commands that run in the background. */
  readonly background: ShellCommands['background'];
  /** The tools' access to the workspace. */
  readonly access: WorkspaceAccess;
  /** Lets the server read the beginning of the next prompt, if it would have to read much of it again. Never rejects. */
  readonly warmCache: (signal: AbortSignal) => Promise<void>;
  /** Ends background commands. Call it after the sessions have ended. */
  readonly dispose: () => Promise<void>;
}

export type AgentChange = Partial<Pick<AgentConfiguration, 'model' | 'permissionMode'>>;

export interface AgentExtras extends Pick<AgentParts, 'clientOptions' | 'warn' | 'checkpoints'> {
  /** Called with the model in use when none is set. */
  readonly announce?: ((message: string) => void) | undefined;
  /** Another prompt may follow: keeps the server's prompt cache warm. */
  readonly goesOn?: boolean | undefined;
  /** Absent: no MCP servers. */
  readonly mcp?: (() => Promise<McpOffer>) | undefined;
}

/** Composes the agent on plain Node, from the arguments and the settings file. */
export function openAgent(context: AgentContext, extras: AgentExtras = {}): OpenAgent {
  const { mcp, clientOptions, warn, announce, goesOn, checkpoints } = extras;
  const { given, settings, cli, folder, modelAccess, drafts, log, onInternalError } = context;
  let configuration = configurationOf(given, settings);
  const root = { name: path.basename(folder) || folder, path: folder };
  const { rules: texts = noRules } = settings;
  const rules = new RuleStore({
    userSettings: () => ({ ...texts, allow: [...texts.allow, ...(given.allow ?? [])] }),
    onInternalError,
  });
  for (const problem of rules.problems) log(`Warning: ${problem}\n`);
  const commands = openShellCommands(context);
  const commandMachine = createNodeCommandWorld();
  const nodePorts = createNodePorts(drafts);
  const textSearch = createRipgrepTextSearch({
    findRipgrep: () => findRipgrepOnPath(commandMachine, [folder]),
    fallback: nodePorts.textSearch,
  });
  const ownSkills = createOwnSkills({
    fileSystem: nodePorts.fileSystem,
    roots: () => [root],
    isTrusted: () => true,
    ownFolder: context.data.folder,
  });
  const access: WorkspaceAccess = {
    ports: { ...nodePorts, textSearch, ...commands.ports, ownSkills },
    roots: () => [root],
    commandOptions: commands.options,
  };
  const connect = createAgent({
    rules,
    mcp,
    unseenEdits: given.allowUnseen ? undefined : new UnseenEdits({ onInternalError }),
    settings: () => configuration,
    ...access,
    commandMachine,
    // Starting the agent in a folder means trusting it. Edits still ask, and so do commands that do more than read.
    isTrusted: () => true,
    ...modelAccess,
    warmer: goesOn ? modelAccess.warmer : undefined,
    checkpoints,
    clientOptions,
    warn,
    platform: cli.platform,
  });
  let announced = '';
  const createClient: CreateClient = async (input) => {
    const error = await modelAccess.ownServer?.start(new AbortController().signal);
    if (error) throw new AgentError(error);
    const made = await connect(input);
    const { model, baseUrl } = made.client.options;
    const message = `The model is ${model} at ${baseUrl}.`;
    if (configuration.model === '' && message !== announced) announce?.(message);
    announced = message;
    return made;
  };
  return {
    createClient,
    get configuration() {
      return configuration;
    },
    change: (change) => {
      configuration = { ...configuration, ...change };
    },
    look: (signal) => lookAtServer({ baseUrl: configuration.baseUrl, model: '' }, { ...modelAccess, signal }),
    background: commands.background,
    access,
    warmCache: (signal) => modelAccess.warmer.finish(signal),
    dispose: async () => {
      modelAccess.warmer.dispose();
      await commands.dispose();
    },
  };
}
