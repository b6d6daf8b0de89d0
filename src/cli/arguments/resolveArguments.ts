import type { OwnServerAccess } from '../../agent/servers/access/ownServerAccess';
import { confinements, variablePattern, type AgentSettings } from '../../agent/configuration/agentSettings';
import type { PermissionMode } from '../../agent/view/permissionModes';
import { parsePermissionRule } from '../../agent/approval/rules/permissionRules';
import { resolveConfiguration, type Configuration } from '../../sdk/configuration/configuration';
import { chooseProfileAndAgent, type Environment } from './chooseProfileAndAgent';
import type { CliSettings } from './cliSettings';
import type { Flags } from './flags';
import { normalizeBaseUrl } from '../../sdk/model/http/baseUrl';
import { messageOf } from '../../util/errors';
import { readExamOptions, type ExamOptions } from './examOptions';
import { readRunOptions, type RunOptions } from './runOptions';
import { readSetupOptions, type SetupOptions } from '../setup/setupOptions';
import { readServeOptions, type ServeOptions } from './serveOptions';

/**
 * The arguments that make an agent. Empty `baseUrl`: look for a server on this machine. Empty `model`: use one of the
 * server's.
 */
export interface AgentArguments extends Configuration {
  /** Absent: the current folder. */
  readonly cwd?: string | undefined;
  /** Ids from the settings file. Absent: none. */
  readonly profile?: string | undefined;
  readonly agent?: string | undefined;
  /** Absent: the agent's mode, or the settings file's. */
  readonly permissionMode?: PermissionMode | undefined;
  /** Allow rules, besides those of the settings file. */
  readonly allow?: readonly string[] | undefined;
  /** Allowed commands run although nobody has seen what the agent changed. */
  readonly allowUnseen?: true | undefined;
  /** Absent: as in the settings file. */
  readonly confine?: AgentSettings['confineCommands'] | undefined;
  /** Variables to pass on to commands although they look like secrets, besides those of the settings file. */
  readonly passEnvironment?: readonly string[] | undefined;
  /** The most model responses with tool calls in one run. Absent: the mode's default. */
  readonly maxIterations?: number | undefined;
  /** The server of this machine, if it is the one in use. */
  readonly ownServer?: OwnServerAccess | undefined;
}

/** A prompt or a conversation. */
export type RunArguments = AgentArguments & RunOptions & { readonly kind: 'run' };

/** The agent as an endpoint for programs on this machine. */
export type ServeArguments = AgentArguments & ServeOptions & { readonly kind: 'serve' };

/** A check of the server and model that a run would use. */
export type DoctorArguments = Configuration & { readonly kind: 'doctor' };

/** An exam of models. */
export type ExamArguments = AgentArguments & ExamOptions & { readonly kind: 'exam' };

export type CliArguments =
  | RunArguments
  | DoctorArguments
  | ExamArguments
  | ServeArguments
  | SetupOptions
  | { readonly kind: 'wrong'; readonly message: string };

/** Combines flags, environment and settings file. Earlier ones win. */
export function resolveArguments(
  { command, values }: Extract<Flags, { kind: 'flags' }>,
  env: Environment,
  settings: CliSettings = {},
): CliArguments {
  const wrong = (message: string) => ({ kind: 'wrong', message }) as const;
  if (command === 'setup') return readSetupOptions(values);
  for (const text of values.allow ?? []) {
    const parsed = parsePermissionRule(text, { effect: 'allow', origin: 'user' });
    if (!parsed.ok) return wrong(parsed.error);
  }
  const confine = confinements.find((known) => known === values.confine);
  if (values.confine !== undefined && !confine) {
    return wrong(`--confine is one of: ${confinements.join(', ')}; not "${values.confine}".`);
  }
  const badName = values['pass-env']?.find((name) => !variablePattern.safeParse(name).success);
  if (badName !== undefined) {
    return wrong(`--pass-env takes the name of a variable, or a pattern such as 'AWS_*'; not "${badName}".`);
  }
  const choice = chooseProfileAndAgent(values, env, settings);
  if ('problem' in choice) return wrong(choice.problem);
  const { profile, agent, permissionMode, maxIterations, connection } = choice;
  const configuration = resolveConfiguration({ flags: connection, env, settings });
  const badUrl = problemOfUrl(configuration.baseUrl);
  if (badUrl !== undefined) return wrong(badUrl);
  if (command === 'doctor') return { kind: command, ...configuration };
  const common: AgentArguments = {
    ...configuration,
    ...(values.cwd !== undefined && { cwd: values.cwd }),
    ...(profile && { profile: profile.id }),
    ...(agent && { agent: agent.id }),
    ...(permissionMode && { permissionMode }),
    ...(values.allow && { allow: values.allow }),
    ...(values['allow-unseen'] && { allowUnseen: true as const }),
    ...(confine && { confine }),
    ...(values['pass-env'] && { passEnvironment: values['pass-env'] }),
    ...(maxIterations !== undefined && { maxIterations }),
  };
  if (command === 'exam') {
    const exam = readExamOptions(values);
    return 'problem' in exam ? wrong(exam.problem) : { kind: 'exam', ...common, ...exam };
  }
  const options = command === 'run' ? readRunOptions(values) : readServeOptions(values, env['OPEN_AGENT_TOKEN']);
  if ('problem' in options) return wrong(options.problem);
  return 'port' in options ? { kind: 'serve', ...common, ...options } : { kind: 'run', ...common, ...options };
}

function problemOfUrl(baseUrl: string): string | undefined {
  if (baseUrl === '') return undefined;
  try {
    normalizeBaseUrl(baseUrl);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
