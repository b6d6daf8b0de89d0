import { parseArgs } from 'node:util';
import type { AgentDefinition } from '../agent/agentDefinition';
import { permissionModes, type PermissionMode } from '../agent/approval/permissions';
import { parsePermissionRule } from '../agent/approval/rules';
import { resolveConfiguration } from '../sdk/configuration';
import type { LlmProfile } from '../sdk/profiles';
import { readServeOptions, serveFlagIn, serveFlags, type ServeOptions } from './serveArguments';
import type { CliSettings } from './cliSettings';

export interface RunArguments {
  readonly kind: 'run';
  /** Absent: from standard input, or a conversation when that is a terminal. */
  readonly prompt?: string | undefined;
  /** Empty: a server on this machine is looked for. */
  readonly baseUrl: string;
  /** Empty: the first the server lists. */
  readonly model: string;
  /** The path of a PEM file; empty: none. */
  readonly ca: string;
  /** Absent: where the command was started. */
  readonly cwd?: string | undefined;
  /** A key and the base URL it belongs to. */
  readonly key?: { readonly baseUrl: string; readonly value: string } | undefined;
  /** Ids of the settings file; absent: none. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** Absent: the agent's, or `ask`. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Rules that allow, besides those of the settings file. */
  readonly allow?: readonly string[] | undefined;
  /** Said before anything else. */
  readonly warning?: string | undefined;
}

/** The agent as an endpoint for programs on this machine. */
export type ServeArguments = Omit<RunArguments, 'kind' | 'prompt'> & ServeOptions & { readonly kind: 'serve' };

/** A check of the server and model that a run would use. */
export type DoctorArguments = Pick<RunArguments, 'baseUrl' | 'model' | 'ca' | 'key' | 'warning'> & {
  readonly kind: 'doctor';
};

export type CliArguments =
  | RunArguments
  | DoctorArguments
  | ServeArguments
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

/** Flags come before the profile of a flag, that before the environment, and that before the settings file. */
export function parseArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  settings: CliSettings = {},
): CliArguments {
  let values;
  let positionals;
  try {
    ({ values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        prompt: { type: 'string', short: 'p' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        ca: { type: 'string' },
        profile: { type: 'string' },
        agent: { type: 'string' },
        'permission-mode': { type: 'string' },
        allow: { type: 'string', multiple: true },
        cwd: { type: 'string' },
        ...serveFlags,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }));
  } catch (error) {
    // parseArgs throws a TypeError that names the flag.
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [command, ...rest] = positionals;
  if (command !== undefined && command !== 'doctor' && command !== 'serve') {
    return { kind: 'wrong', message: `Unexpected argument '${command}'. A prompt is given with -p.` };
  }
  if (
    command === 'doctor' &&
    (rest.length > 0 || values.prompt !== undefined || values.cwd !== undefined || values.allow)
  ) {
    return { kind: 'wrong', message: 'doctor takes the options that say which server and model, and nothing else.' };
  }
  if (command === 'serve' && (rest.length > 0 || values.prompt !== undefined)) {
    return { kind: 'wrong', message: 'serve takes no prompt: prompts come from its callers.' };
  }
  const serveFlag = serveFlagIn(values);
  if (command !== 'serve' && serveFlag !== undefined) {
    return { kind: 'wrong', message: `--${serveFlag} belongs to serve.` };
  }
  for (const text of values.allow ?? []) {
    const parsed = parsePermissionRule(text, { effect: 'allow', origin: 'user' });
    if (!parsed.ok) return { kind: 'wrong', message: parsed.error };
  }
  if (values.prompt?.trim() === '') return { kind: 'wrong', message: 'The prompt is empty.' };
  const chosen = choose(values, settings);
  if ('problem' in chosen) return { kind: 'wrong', message: chosen.problem };
  const { profile, agent, permissionMode } = chosen;
  const flags = {
    baseUrl: values['base-url'] ?? profile?.baseUrl,
    model: values.model ?? agent?.model ?? profile?.model,
    ca: values.ca,
  };
  const configuration = resolveConfiguration({ flags, env, settings });
  if (command === 'doctor') return { kind: 'doctor', ...configuration };
  const common = {
    cwd: values.cwd,
    ...(profile && { profile: profile.id }),
    ...(agent && { agent: agent.id }),
    ...(permissionMode && { permissionMode }),
    ...(values.allow && { allow: values.allow }),
    ...configuration,
  };
  if (command !== 'serve') return { kind: 'run', prompt: values.prompt, ...common };
  const served = readServeOptions(values, env['OPEN_AGENT_TOKEN']);
  return 'problem' in served ? { kind: 'wrong', message: served.problem } : { kind: 'serve', ...served, ...common };
}

interface Chosen {
  readonly profile?: LlmProfile | undefined;
  readonly agent?: AgentDefinition | undefined;
  readonly permissionMode?: PermissionMode | undefined;
}

function choose(
  values: { readonly profile?: string; readonly agent?: string; readonly 'permission-mode'?: string },
  { profiles = [], agents = [] }: CliSettings,
): Chosen | { readonly problem: string } {
  const agent = agents.find(({ id }) => id === values.agent);
  if (values.agent !== undefined && !agent) return { problem: unknownId('agent', values.agent, agents) };
  const profileId = values.profile ?? agent?.profile;
  const profile = profiles.find(({ id }) => id === profileId);
  if (profileId !== undefined && !profile) return { problem: unknownId('profile', profileId, profiles) };
  const mode = values['permission-mode'];
  const permissionMode = permissionModes.find((known) => known === mode);
  if (mode !== undefined && !permissionMode) {
    return { problem: `There is no mode "${mode}". The modes are: ${permissionModes.join(', ')}.` };
  }
  return { profile, agent, permissionMode };
}

function unknownId(kind: string, id: string, known: readonly { readonly id: string }[]): string {
  const offer = known.length === 0 ? 'It has none.' : `It has: ${known.map((item) => item.id).join(', ')}.`;
  return `The settings file ~/.open-agent/settings.json has no usable ${kind} "${id}". ${offer}`;
}
