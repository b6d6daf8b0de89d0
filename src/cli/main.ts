import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseAgentSettings } from '../agent/agentSettings';
import { createAgent } from '../agent/createAgent';
import { KeyStore, memorySecrets } from '../agent/servers/keys';
import { SlotQueue } from '../agent/servers/slotQueue';
import { SessionRegistry } from '../agent/sessionRegistry';
import { createFetch } from '../sdk/model/httpTransport';
import { createNodePorts } from '../workspace/node/createNodePorts';
import { parseArguments, usage, type RunArguments } from './arguments';
import { chat } from './chat';
import { createSessionRenderer } from './renderSession';
import { exitCodes, runPrompt } from './runPrompt';
import type { Terminal, TerminalStreams } from './terminal';
import { openTerminal } from './terminal';
import { createTerminalApprover } from './terminalApprover';
import { version } from '../../package.json';

export interface CliProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the command was started. */
  readonly cwd: string;
  readonly homeDirectory: string;
  readonly platform: string;
  readonly stdin: TerminalStreams['input'] & { readonly isTTY?: boolean | undefined };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
}

/** The command line, from arguments to exit code. */
export async function main(cli: CliProcess): Promise<number> {
  const { argv, env, stdout, stderr } = cli;
  const parsed = parseArguments(argv, env);
  switch (parsed.kind) {
    case 'help':
      stdout.write(usage);
      return exitCodes.completed;
    case 'version':
      stdout.write(`open-agent ${version}\n`);
      return exitCodes.completed;
    case 'wrong':
      stderr.write(`${parsed.message}\nSee open-agent --help.\n`);
      return exitCodes.wrongUsage;
    case 'run':
      return run(parsed, cli);
    default:
      return parsed satisfies never;
  }
}

async function run(given: RunArguments, cli: CliProcess): Promise<number> {
  const { stdin, stdout, stderr } = cli;
  const log = (text: string): void => void stderr.write(text);
  if (given.warning !== undefined) log(`Warning: ${given.warning}\n`);

  const folder = path.resolve(cli.cwd, given.cwd ?? '.');
  if (!(await isFolder(folder))) {
    log(`${folder} is not a folder.\n`);
    return exitCodes.wrongUsage;
  }
  // Questions go where the log goes, so that the answer can be piped on.
  const hasTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const prompt = given.prompt ?? (stdin.isTTY === true ? undefined : await readAll(stdin));
  if (prompt?.trim() === '') {
    log('There is no prompt: standard input was empty. See open-agent --help.\n');
    return exitCodes.wrongUsage;
  }
  if (prompt === undefined && !hasTerminal) {
    log('A conversation needs a terminal for input and messages; give a prompt with -p.\n');
    return exitCodes.wrongUsage;
  }

  const terminal = hasTerminal ? openTerminal({ input: stdin, output: stderr }) : undefined;
  const approver = createTerminalApprover({ terminal, print: log });
  const registry = await openSessions(given, cli, { folder, approver });
  const renderer = createSessionRenderer({
    answer: (text) => void stdout.write(text),
    log,
    isTerminal: stdout.isTTY === true,
  });
  try {
    if (prompt !== undefined) {
      const signal = untilInterrupted(cli.signal, terminal);
      return await runPrompt(prompt, { session: await registry.create(), renderer, approver, signal });
    }
    if (terminal) await chat({ terminal, renderer, print: log, createSession: () => registry.create() });
    return exitCodes.completed;
  } finally {
    terminal?.dispose();
    await registry.dispose();
  }
}
