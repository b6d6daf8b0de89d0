import path from 'node:path';
import { createProjectRules } from '../agent/context/projectRules';
import { createAgentContext } from './agent/createAgentContext';
import type { RunArguments } from './arguments/resolveArguments';
import { beginSession } from './session/beginSession';
import { openSessions } from './session/openSessions';
import { openCheckpoints } from './session/checkpoints';
import type { CliProcess } from './cliProcess';
import type { CliSettings } from './arguments/cliSettings';
import { exitCodes } from './exitCodes';
import { openMcpServers } from './agent/openMcpServers';
import { openAgent } from './agent/openAgent';
import { readOutputSchema } from './prompt/outputSchema';
import { answerPrompt } from './prompt/answerPrompt';
import { withFileMentions } from './prompt/fileMentions';
import { readImageFiles, withImages } from './prompt/imageFiles';
import { withMcpPrompts, sendAsItIs } from './prompt/mcpPrompts';
import { listPromptCommands, withSlashCommands } from './prompt/slashCommands';
import { unsavedProblem } from './session/unsaved';
import { createStyles } from './terminal/styles';
import { startChat } from './chat/startChat';
import { openTerminal } from './terminal/terminal';
import { createTerminalApprover } from './terminal/terminalApprover';
import { safeTerminalText } from './terminal/safeTerminalText';

/** Answers one prompt or runs a conversation. Returns the exit code. */
export async function run(given: RunArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const context = await createAgentContext(given, settings, cli);
  if (!context) return exitCodes.wrongUsage;
  const { log } = context;
  const { stdin, stderr } = cli;
  // Questions go to standard error, so that the answer on standard output can be piped.
  const hasTerminal = stdin.isTTY === true && stderr.isTTY === true && !given.isHeadless && given.output !== 'json';
  const prompt = given.prompt ?? (stdin.isTTY === true ? undefined : await readAll(stdin));
  const problem = problemOfPrompt(prompt, given, hasTerminal);
  if (problem !== undefined) {
    log(`${problem}\n`);
    return exitCodes.wrongUsage;
  }
  const schema =
    given.outputSchema === undefined ? undefined : await readOutputSchema(path.resolve(cli.cwd, given.outputSchema));
  if (schema?.ok === false) {
    log(`${schema.problem}\n`);
    return exitCodes.wrongUsage;
  }

  const images = await readImageFiles(given.images ?? [], cli.cwd);
  if (!images.ok) {
    log(`${safeTerminalText(images.problem)}\n`);
    return exitCodes.wrongUsage;
  }

  const styles = createStyles({ isTerminal: stderr.isTTY === true, env: cli.env });
  const terminal = hasTerminal ? openTerminal({ input: stdin, output: stderr }) : undefined;
  const isJson = given.output === 'json';
  const approver = createTerminalApprover({ terminal, print: isJson ? () => {} : log, styles });
  const mcp = settings.mcp?.length ? openMcpServers(context, terminal) : undefined;
  const restore = openCheckpoints(context);
  const agent = openAgent(context, {
    checkpoints: restore.checkpoints,
    mcp: mcp?.offer,
    goesOn: prompt === undefined || given.resume !== undefined,
    clientOptions: {
      ...(given.toolChoice && { toolChoice: given.toolChoice }),
      ...(schema && { outputSchema: schema.schema }),
    },
    warn: (message) => log(`${styles.yellow(`Warning: ${safeTerminalText(message)}`)}\n`),
    ...(!isJson && { announce: (message: string) => log(`${styles.dim(safeTerminalText(message))}\n`) }),
  });
  const { createClient, access } = agent;
  const files = {
    fileSystem: access.ports.fileSystem,
    roots: access.roots,
    isTrusted: () => true,
    ownFolder: context.data.folder,
  };
  const projectRules = given.isWithoutInstructions ? undefined : createProjectRules(files);
  const places = openSessions(context, agent, { createClient, approver, projectRules });
  const begin = async (): Promise<number> => {
    const begun = await beginSession(given.resume, places);
    if ('problem' in begun) {
      log(`Error: ${begun.problem}\n`);
      return begun.exitCode;
    }
    const { signal } = cli;
    const serverText = mcp ? withMcpPrompts({ servers: mcp.servers, terminal, log, signal }) : sendAsItIs;
    const isServer = (name: string): boolean => mcp?.servers.has(name) ?? false;
    // Piped text does not mention files: code has many words that begin with @.
    const isTyped = prompt === undefined || given.prompt !== undefined;
    const prepare = isTyped
      ? withSlashCommands(withFileMentions(serverText, { access: agent.access, isServer, terminal, signal }), {
          files,
          terminal,
          signal,
        })
      : serverText;
    const promptCommands = () => listPromptCommands(files);
    const parts = { ...begun, context, agent, approver, terminal, styles, places, restore, prepare, promptCommands };
    if (!isJson) log(`${styles.yellow(hostWarning(terminal !== undefined))}\n`);
    if (prompt !== undefined) {
      const whole = withImages(prepare, images.images);
      const exitCode = await answerPrompt(prompt, { ...parts, prepare: whole, isJson, check: schema?.check });
      // A conversation that goes on in another process.
      if (given.resume) await agent.warmCache(AbortSignal.any([signal, AbortSignal.timeout(WARM_LIMIT_MS)]));
      return exitCode;
    }
    if (terminal) await startChat({ ...parts, terminal });
    return cli.signal.aborted ? exitCodes.interrupted : exitCodes.completed;
  };
  let exitCode: number;
  let unsaved: Error | undefined;
  try {
    exitCode = await begin();
  } finally {
    terminal?.dispose();
    unsaved = await places.registry.dispose();
    await agent.dispose();
    await mcp?.dispose();
  }
  if (!unsaved || exitCode === exitCodes.unsaved) return exitCode;
  log(`${styles.red(`Error: ${safeTerminalText(unsavedProblem(unsaved, places.directory))}`)}\n`);
  return exitCodes.unsaved;
}

/** How long the end of the process may wait for the server's prompt cache. */
const WARM_LIMIT_MS = 30_000;

function problemOfPrompt(prompt: string | undefined, given: RunArguments, hasTerminal: boolean): string | undefined {
  if (prompt?.trim() === '') return 'There is no prompt: standard input was empty. See open-agent --help.';
  if (prompt !== undefined) return undefined;
  if (!hasTerminal) return 'A conversation needs a terminal. Without one, give a prompt with -p.';
  if (given.images) return '--image needs a prompt: give one with -p.';
  return given.outputSchema === undefined ? undefined : '--output-schema needs a prompt: give one with -p.';
}

/** Printed once at each start, before anything can run. */
function hostWarning(hasTerminal: boolean): string {
  const asks = hasTerminal ? 'It asks first.' : 'Nobody can be asked here, so calls that need an answer are denied.';
  return `Warning: the agent edits files and runs commands on this machine, as you. ${asks}`;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}
