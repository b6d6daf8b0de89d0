import { parseAgents, parseProfiles, type AgentDefinition } from '../agent/agentDefinition';
import { readRuleTexts, type RuleTexts } from '../agent/approval/ruleStore';
import { parseMcpServers, type McpServerConfig } from '../mcp/serverConfig';
import { parseConnectionSettings, readSettingsObject, type ConnectionSettings } from '../sdk/configuration';
import type { LlmProfile } from '../sdk/profiles';

/** What the settings file says. */
export interface CliSettings extends ConnectionSettings {
  readonly profiles?: readonly LlmProfile[] | undefined;
  readonly agents?: readonly AgentDefinition[] | undefined;
  readonly rules?: RuleTexts | undefined;
  readonly mcp?: readonly McpServerConfig[] | undefined;
}

export type SettingsFile =
  | {
      readonly ok: true;
      readonly values: CliSettings;
      /** What cannot be used, and is left out. */
      readonly problems: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** A file that cannot be read may name the server the person means: going on without it could send code elsewhere. */
export async function readCliSettings(file: string): Promise<SettingsFile> {
  try {
    const written = await readSettingsObject(file);
    const { profiles, problems } = parseProfiles(written['profiles']);
    const { agents, problems: agentProblems } = parseAgents(written['agents'], profiles);
    const rules = readRuleTexts(written['rules']);
    const { servers: mcp, problems: mcpProblems } = parseMcpServers(written['mcp']);
    const values = { ...parseConnectionSettings(written, file), profiles, agents, rules, mcp };
    return { ok: true, values, problems: [...problems, ...agentProblems, ...mcpProblems] };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
