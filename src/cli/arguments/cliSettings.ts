import { existsSync } from 'node:fs';
import { parseAgentSettings, type AgentSettings } from '../../agent/configuration/agentSettings';
import { readRuleTexts, type RuleTexts } from '../../agent/approval/rules/ruleStore';
import type { AgentDefinition } from '../../agent/configuration/agentDefinition';
import { parseMcpServers, type McpServerConfig } from '../../mcp/serverConfig';
import {
  parseConnectionSettings,
  readSettingsObject,
  type ConnectionSettings,
} from '../../sdk/configuration/configuration';
import type { LlmProfile } from '../../sdk/configuration/profiles';
import { messageOf } from '../../util/errors';

/** The contents of the settings file. */
export interface CliSettings extends ConnectionSettings {
  /** The file's path. Absent: the usual one. */
  readonly file?: string | undefined;
  readonly profiles?: readonly LlmProfile[] | undefined;
  readonly agents?: readonly AgentDefinition[] | undefined;
  readonly rules?: RuleTexts | undefined;
  readonly mcp?: readonly McpServerConfig[] | undefined;
  /** Settings with the extension's names and forms, with defaults for the others. */
  readonly common?: AgentSettings | undefined;
}

export type SettingsFile =
  | {
      readonly ok: true;
      readonly values: CliSettings;
      /** Names each unusable value. It is left out. */
      readonly problems: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/** The extension's settings that mean the same here. */
const COMMON = [
  'temperature',
  'maxTokens',
  'contextWindow',
  'maxToolIterations',
  'modelOptions',
  'systemPrompt',
  'profile',
  'agent',
  'permissionMode',
  'confineCommands',
  'commandEnvironment',
  'profiles',
  'agents',
] as const;
const OWN = ['baseUrl', 'model', 'apiKey', 'ca', 'rules', 'mcp'] as const;
const KNOWN: readonly string[] = [...OWN, ...COMMON];

/**
 * Reads a settings file. The usual file may be missing. An unreadable file is an error: it may name the server, and going on
 * without it could send code elsewhere.
 */
export async function readCliSettings(file: string, { isUsual }: { readonly isUsual: boolean }): Promise<SettingsFile> {
  try {
    if (!isUsual && !existsSync(file)) {
      return { ok: false, message: `There is no settings file ${file}. Check --settings, or OPEN_AGENT_SETTINGS.` };
    }
    const written = await readSettingsObject(file);
    const connection = parseConnectionSettings(written, file);
    const common = parseAgentSettings(
      Object.fromEntries(COMMON.flatMap((name) => (written[name] === undefined ? [] : [[name, written[name]]]))),
    );
    const { servers: mcp, problems: mcpProblems } = parseMcpServers(written['mcp']);
    const { profiles, agents } = common.settings;
    const rules = readRuleTexts(written['rules']);
    const unknown = Object.keys(written).filter((name) => !KNOWN.includes(name));
    return {
      ok: true,
      values: {
        ...connection,
        ...(!isUsual && { file }),
        profiles,
        agents,
        rules,
        mcp,
        common: common.settings,
      },
      problems: [
        ...unknown.map((name) => `${file}: "${name}" is not a setting. The settings are: ${KNOWN.join(', ')}.`),
        ...common.problems.map(({ message }) => message),
        ...mcpProblems,
      ],
    };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}
