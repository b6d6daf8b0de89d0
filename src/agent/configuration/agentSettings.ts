import * as l10n from '../../util/l10n';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { normalizeBaseUrl } from '../../sdk/model/http/baseUrl';
import type { LlmProfile } from '../../sdk/configuration/profiles';
import { parseAgents, parseProfiles, type AgentDefinition } from './agentDefinition';
import type { CommandOptions } from '../../workspace/tools/workspaceAccess';
import { settableModes, type PermissionMode } from '../view/permissionModes';
import { ModelOptionsTable } from '../servers/model/modelOptions';
import { messageOf } from '../../util/errors';

export const commandModes = ['background', 'terminal'] as const;
export const checkModes = ['off', 'problems', 'command'] as const;
export const confinements = ['off', 'workspace', 'workspace-no-network'] as const;

/** The settings. Their names, without the prefix `openAgent.`. */
export interface AgentSettings {
  /** Empty: look for a running server on this machine. */
  readonly baseUrl: string;
  /** The path of a PEM file with authorities to trust besides the usual ones; empty: none. */
  readonly certificateAuthority: string;
  /** Empty: the first model the server lists, loaded ones first. */
  readonly model: string;
  /** `null`: the server's default. */
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** In tokens; `null`: the server's value. */
  readonly contextWindow: number | null;
  /** The most model responses with tool calls in one run; then the person is asked whether to continue. */
  readonly maxToolIterations: number;
  /**
   * Up to three times in a run, `problems`: the model is asked to mend the errors that its edits brought; `command`: to run the
   * person's check command until it passes.
   */
  readonly checks: (typeof checkModes)[number];
  /** Options of single models. */
  readonly modelOptions: ModelOptionsTable;
  /** Appended to the system prompt. */
  readonly systemPrompt: string;
  /** The id of the profile to use when the person has chosen none; empty: none, only the settings. */
  readonly profile: string;
  /** The id of the agent to use when the person has chosen none; empty: none. */
  readonly agent: string;
  /** Used when neither the agent nor the person sets one. */
  readonly permissionMode: PermissionMode;
  /** `terminal`: in a terminal of the editor. */
  readonly commandMode: (typeof commandModes)[number];
  readonly confineCommands: (typeof confinements)[number];
  /** Variables to pass on to commands although they look like secrets: names, and patterns with `*`. */
  readonly commandEnvironment: readonly string[];
  /** Ids are distinct. */
  readonly profiles: readonly LlmProfile[];
  /** Ids are distinct; the profile of each agent exists. */
  readonly agents: readonly AgentDefinition[];
}

/** A setting that cannot be used. The message, for people, names the value that is used instead. */
export interface SettingProblem {
  readonly setting: keyof AgentSettings;
  readonly message: string;
}

/** The problem for people, with the setting's full name. */
export function problemText({ setting, message }: SettingProblem): string {
  const begins = message.startsWith(`${setting} `);
  return l10n.t('Setting {0}', begins ? `openAgent.${message}` : `openAgent.${setting}: ${message}`);
}

export const defaultAgentSettings: AgentSettings = {
  baseUrl: '',
  certificateAuthority: '',
  model: '',
  temperature: null,
  maxTokens: null,
  contextWindow: null,
  maxToolIterations: 50,
  checks: 'off',
  modelOptions: {},
  systemPrompt: '',
  profile: '',
  agent: '',
  permissionMode: 'ask',
  commandMode: 'background',
  confineCommands: 'off',
  commandEnvironment: [],
  profiles: [],
  agents: [],
};

/** How tools run commands. */
export function commandOptionsOf({
  commandMode,
  confineCommands,
}: Pick<AgentSettings, 'commandMode' | 'confineCommands'>): CommandOptions {
  return {
    inTerminal: commandMode === 'terminal',
    ...(confineCommands !== 'off' && { confinement: confineCommands }),
  };
}

/**
 * Parses the settings. `problems` names each bad value; its default is used. A bad profile or agent is left out. A bad
 * `baseUrl` is kept, so that the connection fails with a message and no other server is used silently.
 */
export function parseAgentSettings(raw: unknown): {
  readonly settings: AgentSettings;
  readonly problems: readonly SettingProblem[];
} {
  const values = z.record(z.string(), z.unknown()).catch({}).parse(raw);
  const problems: SettingProblem[] = [];

  // A misspelled setting that protects is set to its strictest value.
  const strictest: Partial<AgentSettings> = { confineCommands: 'workspace-no-network' };

  function read<K extends keyof typeof FIELDS>(setting: K): AgentSettings[K] {
    const value = values[setting];
    if (value === undefined) return defaultAgentSettings[setting];
    const fallback = strictest[setting] ?? defaultAgentSettings[setting];
    const parsed = FIELDS[setting].schema.safeParse(value);
    if (parsed.success) return parsed.data as AgentSettings[K];
    const used = fallback === null ? l10n.t("the server's own default") : JSON.stringify(fallback);
    problems.push({
      setting,
      message: l10n.t('{0} must be {1}, but is {2}. Using {3}.', setting, FIELDS[setting].form(), show(value), used),
    });
    return fallback;
  }

  const { profiles, problems: profileProblems } = parseProfiles(values['profiles']);
  const { agents, problems: agentProblems } = parseAgents(values['agents'], profiles);
  const settings: AgentSettings = {
    baseUrl: read('baseUrl'),
    certificateAuthority: read('certificateAuthority'),
    model: read('model'),
    temperature: read('temperature'),
    maxTokens: read('maxTokens'),
    contextWindow: read('contextWindow'),
    maxToolIterations: read('maxToolIterations'),
    checks: read('checks'),
    modelOptions: read('modelOptions'),
    systemPrompt: read('systemPrompt'),
    profile: read('profile'),
    agent: read('agent'),
    permissionMode: read('permissionMode'),
    commandMode: read('commandMode'),
    confineCommands: read('confineCommands'),
    commandEnvironment: read('commandEnvironment'),
    profiles,
    agents,
  };
  problems.push(...profileProblems.map((message) => ({ setting: 'profiles', message }) as const));
  problems.push(...agentProblems.map((message) => ({ setting: 'agents', message }) as const));
  const urlProblem = settings.baseUrl === '' ? undefined : baseUrlProblem(settings.baseUrl);
  if (urlProblem !== undefined) problems.push({ setting: 'baseUrl', message: urlProblem });
  return { settings, problems };
}

/** The name of a variable; `*` stands for any characters. */
export const variablePattern = z.string().regex(/^[^\s=\0]{1,200}$/);

const FIELDS: {
  readonly [K in Exclude<keyof AgentSettings, 'profiles' | 'agents'>]: {
    readonly schema: z.ZodType;
    readonly form: () => string;
  };
} = {
  baseUrl: { schema: z.string().trim(), form: () => l10n.t('a text such as "http://localhost:8080/v1"') },
  certificateAuthority: {
    schema: z
      .string()
      .trim()
      .refine((value) => value === '' || isAbsolute(value)),
    form: () => l10n.t('the absolute path of a PEM file'),
  },
  model: { schema: z.string().trim(), form: () => l10n.t('text') },
  temperature: { schema: z.number().min(0).max(2).nullable(), form: () => l10n.t('a number from 0 to 2, or null') },
  maxTokens: { schema: z.int().min(1).nullable(), form: () => l10n.t('a whole number above 0, or null') },
  contextWindow: { schema: z.int().min(2048).nullable(), form: () => l10n.t('a whole number from 2048, or null') },
  maxToolIterations: { schema: z.int().min(1).max(1000), form: () => l10n.t('a whole number from 1 to 1000') },
  checks: { schema: z.enum(checkModes), form: () => checkModes.join(', ') },
  modelOptions: {
    schema: ModelOptionsTable,
    form: () =>
      l10n.t(
        'an object such as {"qwen3*": {"toolCalls": "text"}}, with toolCalls (auto, native, text), replayReasoning (auto, always, never) and contextWindow',
      ),
  },
  systemPrompt: { schema: z.string(), form: () => l10n.t('text') },
  profile: { schema: z.string().trim(), form: () => l10n.t('the id of a profile') },
  agent: { schema: z.string().trim(), form: () => l10n.t('the id of an agent') },
  permissionMode: { schema: z.enum(settableModes), form: () => settableModes.join(', ') },
  commandMode: { schema: z.enum(commandModes), form: () => commandModes.join(', ') },
  confineCommands: { schema: z.enum(confinements), form: () => confinements.join(', ') },
  commandEnvironment: {
    schema: z.array(variablePattern),
    form: () => l10n.t('a list of names such as "NPM_TOKEN" and patterns such as "AWS_*"'),
  },
};

function baseUrlProblem(baseUrl: string): string | undefined {
  try {
    normalizeBaseUrl(baseUrl);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
