import { parseArgs } from 'node:util';
import { examFlagIn, examFlags } from './examOptions';
import { setupFlagIn, setupFlags } from '../setup/setupOptions';
import { serveFlagIn, serveFlags } from './serveOptions';
import { messageOf } from '../../util/errors';

/** The flags of every command: server and model. */
const connectionFlags = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  'api-key': { type: 'string' },
  ca: { type: 'string' },
  profile: { type: 'string' },
  agent: { type: 'string' },
  settings: { type: 'string' },
} as const;

/** The flags of every agent. */
const agentFlags = {
  cwd: { type: 'string' },
  'permission-mode': { type: 'string' },
  allow: { type: 'string', multiple: true },
  'allow-unseen': { type: 'boolean' },
  confine: { type: 'string' },
  'pass-env': { type: 'string', multiple: true },
  'max-iterations': { type: 'string' },
} as const;

/** The flags of a prompt or a conversation. */
const runFlags = {
  prompt: { type: 'string', short: 'p' },
  image: { type: 'string', multiple: true },
  'no-tui': { type: 'boolean' },
  'no-instructions': { type: 'boolean' },
  output: { type: 'string' },
  autoresume: { type: 'boolean' },
  resume: { type: 'string' },
  'tool-choice': { type: 'string' },
  'output-schema': { type: 'string' },
} as const;

export const commands = ['run', 'doctor', 'exam', 'serve', 'setup'] as const;
export type Command = (typeof commands)[number];

const options = {
  ...connectionFlags,
  ...agentFlags,
  ...runFlags,
  ...serveFlags,
  ...examFlags,
  ...setupFlags,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], allowPositionals: true, options });
}

export type FlagValues = ReturnType<typeof parse>['values'];

export type Flags =
  | { readonly kind: 'flags'; readonly command: Command; readonly values: FlagValues }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

/** Reads the command and its flags. Values are unchecked texts. */
export function parseFlags(argv: readonly string[]): Flags {
  let values;
  let positionals;
  try {
    ({ values, positionals } = parse(argv));
  } catch (error) {
    // parseArgs throws a TypeError that names the flag.
    return { kind: 'wrong', message: messageOf(error) };
  }
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [command = 'run', stray] = positionals;
  if (command === 'doctor' || command === 'serve' || command === 'exam' || command === 'setup') {
    const problem = stray === undefined ? misplacedFlag(command, values) : `Unexpected argument '${stray}'.`;
    return problem === undefined
      ? { kind: 'flags', command, values }
      : { kind: 'wrong', message: `${problem} ${TAKES[command]}` };
  }
  if (positionals.length > 0) {
    return { kind: 'wrong', message: `Unexpected argument '${command}'. Give a prompt with -p.` };
  }
  const serveFlag = serveFlagIn(values);
  const examFlag = examFlagIn(values);
  if (examFlag !== undefined) return { kind: 'wrong', message: `--${examFlag} belongs to exam.` };
  if (serveFlag !== undefined) return { kind: 'wrong', message: `--${serveFlag} belongs to serve.` };
  const setupFlag = setupFlagIn(values);
  if (setupFlag !== undefined) return { kind: 'wrong', message: `--${setupFlag} belongs to setup.` };
  return { kind: 'flags', command: 'run', values };
}

const TAKES = {
  doctor: 'doctor takes only the options for server and model.',
  exam: 'exam takes only the options for server and model, --all-models, --seed, --fresh and --json.',
  serve: 'serve takes no prompt, session or output option: its callers decide these.',
  setup: 'setup takes only --model and its own options.',
} as const;

function misplacedFlag(command: keyof typeof TAKES, values: FlagValues): string | undefined {
  const allowed =
    command === 'setup'
      ? { model: connectionFlags.model, ...setupFlags }
      : {
          ...connectionFlags,
          ...(command === 'serve' && { ...agentFlags, ...serveFlags }),
          ...(command === 'exam' && examFlags),
        };
  const misplaced = Object.keys(values).find((flag) => !Object.hasOwn(allowed, flag));
  return misplaced === undefined ? undefined : `--${misplaced} does not belong to ${command}.`;
}
