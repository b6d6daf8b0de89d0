import path from 'node:path';
import { parseAgentSettings } from '../agent/agentSettings';
import { noRules, RuleStore } from '../agent/approval/ruleStore';
import { UnseenEdits } from '../agent/approval/unseenEdits';
import { chooseAgent, type AgentConfiguration } from '../agent/chooseAgent';
import { createAgent } from '../agent/createAgent';
import type { CreateClient } from '../agent/createClient';
import { KeyStore, memorySecrets } from '../agent/servers/keys';
import { LearnedQuirks } from '../agent/servers/learnedQuirks';
import { SlotQueue } from '../agent/servers/slotQueue';
import type { McpOffer } from '../mcp/mcpServers';
import { createNodePorts } from '../workspace/node/createNodePorts';
import { createNodeCommandWorld } from '../workspace/node/nodeCommandWorld';
import type { AgentArguments, AgentContext } from './agentContext';
import type { CliSettings } from './cliSettings';

export interface OpenAgent {
  readonly createClient: CreateClient;
  readonly configuration: AgentConfiguration;
  /** Ends what the agent has started. Whoever opened it calls this when the sessions have ended. */
  readonly dispose: () => Promise<void>;
}

export interface AgentExtras {
  /** Absent: no MCP servers. */
  readonly mcp?: (() => Promise<McpOffer>) | undefined;
}

/** The agent on plain Node, as the arguments and the settings file say. */
export async function openAgent(context: AgentContext, { mcp }: AgentExtras = {}): Promise<OpenAgent> {
  const { given, settings, cli, folder, fetch, log, onInternalError } = context;
  const configuration = configurationOf(given, settings);
  const keys = new KeyStore({ secrets: memorySecrets() });
  if (given.key) {
    const kept = await keys.set(given.key.baseUrl, given.key.value);
    if (!kept.ok) log(`Warning: OPEN_AGENT_API_KEY is not used: ${kept.error}\n`);
  }
  const root = { name: path.basename(folder) || folder, path: folder };
  const { rules: texts = noRules } = settings;
  const rules = new RuleStore({
    userSettings: () => ({ ...texts, allow: [...texts.allow, ...(given.allow ?? [])] }),
    onInternalError,
  });
  for (const problem of rules.problems) log(`Warning: ${problem}\n`);
  const createClient = createAgent({
    rules,
    mcp,
    unseenEdits: new UnseenEdits({ onInternalError }),
    settings: () => configuration,
    ports: createNodePorts(),
    commandMachine: createNodeCommandWorld(),
    roots: () => [root],
    // Whoever starts it in a folder means that folder; edits and commands that do more than read ask all the same.
    isTrusted: () => true,
    keys,
    slots: new SlotQueue(),
    quirks: new LearnedQuirks({ now: Date.now }),
    fetch,
    platform: cli.platform,
  });
  return { createClient, configuration, dispose: () => Promise.resolve() };
}

/** What was given names server and model already, the profile's and the agent's included. */
function configurationOf(given: AgentArguments, { profiles = [], agents = [] }: CliSettings): AgentConfiguration {
  const { baseUrl, model, profile = '', agent = '', permissionMode } = given;
  const { settings } = parseAgentSettings({ baseUrl, model });
  const overrides = model === '' ? {} : { model };
  return chooseAgent({ ...settings, profiles, agents }, { profile, agent, permissionMode, baseUrl, overrides })
    .configuration;
}
