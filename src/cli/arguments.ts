import { parseArgs } from 'node:util';
import { resolveConfiguration, type ConnectionSettings } from '../sdk/configuration';

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
  /** Said before anything else. */
  readonly warning?: string | undefined;
}

export type CliArguments =
  | RunArguments
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly message: string };

/** Flags come before the environment, and that before the settings file. */
export function parseArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  settings: ConnectionSettings = {},
): CliArguments {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        prompt: { type: 'string', short: 'p' },
        'base-url': { type: 'string' },
        model: { type: 'string' },
        ca: { type: 'string' },
        cwd: { type: 'string' },
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
  if (values.prompt?.trim() === '') return { kind: 'wrong', message: 'The prompt is empty.' };
  const flags = { baseUrl: values['base-url'], model: values.model, ca: values.ca };
  return {
    kind: 'run',
    prompt: values.prompt,
    cwd: values.cwd,
    ...resolveConfiguration({ flags, env, settings }),
  };
}

export const usage = `Usage: open-agent [options]

Without a prompt: a conversation, when started in a terminal.

  -p, --prompt TEXT   answer one prompt and end; without it, the prompt may also come from standard input
      --base-url URL  the model server, such as http://localhost:8080/v1, or lmstudio, ollama, llamacpp or vllm for
                      its usual address on this machine (or OPEN_AGENT_BASE_URL); without it, a server running on
                      this machine is looked for
      --model NAME    the model (or OPEN_AGENT_MODEL); without it, the first the server lists
      --ca FILE       a PEM file with a certificate authority to trust for https (or OPEN_AGENT_CA)
      --cwd DIR       the folder to work in; without it, the current one
  -h, --help          this text
      --version       the version

OPEN_AGENT_API_KEY is sent to the server of the base URL, and nowhere else.
What neither flags nor environment say is read from ~/.open-agent/settings.json (baseUrl, model, apiKey, ca), if it exists.
Edits and commands are asked about in the terminal; without one they are denied.

Exit codes: 0 the run completed · 1 it failed · 2 wrong usage · 3 something was denied because nobody could be asked ·
130 interrupted
`;
