import { pathToFileURL } from 'node:url';
import type { AgentSession } from '../agent/agentSession';
import { FileClaims } from '../agent/fileClaims';
import { SessionRegistry } from '../agent/sessionRegistry';
import { agentContext } from './agentContext';
import type { RunArguments } from './arguments';
import { chat } from './chat';
import { chatCommands } from './chatCommands';
import type { CliProcess } from './cliProcess';
import type { CliSettings } from './cliSettings';
import { openMcp } from './mcp';
import { openAgent } from './openAgent';
import { createSessionRenderer } from './renderSession';
import { exitCodes, runPrompt } from './runPrompt';
import { openTerminal, type Terminal } from './terminal';
import { createTerminalApprover } from './terminalApprover';

/** Answers one prompt, or talks with whoever is at the terminal, and gives the exit code. */
export async function run(given: RunArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const { stdin, stdout, stderr } = cli;
  const context = await agentContext(given, settings, cli);
  if (!context) return exitCodes.wrongUsage;
  const { folder, log, data, onInternalError } = context;
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
  const mcp = settings.mcp?.length ? openMcp(context, terminal) : undefined;
  const agent = await openAgent(context, { mcp: mcp?.offer });
  const registry = new SessionRegistry({
    directory: data.sessions,
    claims: new FileClaims(),
    createClient: agent.createClient,
    approver,
    workspace: pathToFileURL(folder).href,
    permissionMode: () => agent.configuration.permissionMode,
    onInternalError,
  });
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
    if (terminal) {
      // Whoever ends the process need not wait for an answer, or type one.
      const end = (): void => {
        terminal.dispose();
        registry.dispose().catch((error: unknown) => log(`Internal error: ${String(error)}\n`));
      };
      cli.signal.addEventListener('abort', end, { once: true });
      const createSession = (): Promise<AgentSession> => registry.create();
      const commands = chatCommands({ createSession });
      await chat({ terminal, renderer, print: log, session: await createSession(), commands });
    }
    return cli.signal.aborted ? exitCodes.interrupted : exitCodes.completed;
  } finally {
    terminal?.dispose();
    await registry.dispose();
    await agent.dispose();
    await mcp?.dispose();
  }
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

/** Aborted by the process's signal or by Ctrl+C at a terminal that reads keys itself. */
function untilInterrupted(signal: AbortSignal, terminal: Terminal | undefined): AbortSignal {
  const controller = new AbortController();
  terminal?.onInterrupt(() => controller.abort());
  return AbortSignal.any([signal, controller.signal]);
}
