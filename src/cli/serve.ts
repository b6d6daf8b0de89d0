import { randomBytes } from 'node:crypto';
import type { PermissionMode } from '../agent/view/permissionModes';
import type { CreateClient } from '../agent/configuration/sessionClient';
import { createAgentRuns, denyAll } from '../endpoint/runs/agentRuns';
import { portProblem } from '../endpoint/http/port';
import { startEndpoint, type Endpoint } from '../endpoint/startEndpoint';
import { createAgentContext } from './agent/createAgentContext';
import type { ServeArguments } from './arguments/resolveArguments';
import type { CliProcess } from './cliProcess';
import type { CliSettings } from './arguments/cliSettings';
import { openMcpServers } from './agent/openMcpServers';
import { openAgent } from './agent/openAgent';
import { exitCodes } from './exitCodes';
import { terminalText } from './terminal/terminalText';

interface ServeParts {
  readonly folder: string;
  readonly createClient: CreateClient;
  readonly permissionMode: () => PermissionMode;
  /** Writes the address and the token. */
  readonly print: (text: string) => void;
  readonly log: (text: string) => void;
  /** Aborting ends the serving. */
  readonly signal: AbortSignal;
}

/** Serves the agent in its folder until `cli.signal` is aborted. Returns the exit code. */
export async function serveFolder(given: ServeArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const context = await createAgentContext(given, settings, cli);
  if (!context) return exitCodes.wrongUsage;
  const mcp = settings.mcp?.length ? openMcpServers(context, undefined) : undefined;
  const { createClient, configuration, dispose } = openAgent(context, { mcp: mcp?.offer });
  try {
    return await serve(given, {
      folder: context.folder,
      createClient,
      permissionMode: () => configuration.permissionMode,
      print: (text) => void cli.stdout.write(text),
      log: context.log,
      signal: cli.signal,
    });
  } finally {
    await dispose();
    await mcp?.dispose();
  }
}

/** Serves until `signal` is aborted. Returns the exit code. */
async function serve(
  { port, token: given, limits }: Pick<ServeArguments, 'port' | 'token' | 'limits'>,
  { folder, createClient, permissionMode, print, log, signal }: ServeParts,
): Promise<number> {
  const token = given ?? randomBytes(32).toString('base64url');
  let endpoint: Endpoint;
  try {
    endpoint = await startEndpoint({
      runs: createAgentRuns({ createClient, ask: denyAll, permissionMode }),
      token: () => token,
      port,
      limits,
      log: (line) => log(`${terminalText(line)}\n`),
    });
  } catch (error) {
    log(`${portProblem(port, error)} Choose another with --port; 0 takes any free port.\n`);
    return exitCodes.failed;
  }
  print(`Serving ${terminalText(folder)} at ${endpoint.baseUrl}, model open-agent.\n`);
  print(given === undefined ? `Token: ${token}\n` : 'Token: the one in OPEN_AGENT_TOKEN.\n');
  log(
    'The agent runs commands on this machine, as you. Calls that need an answer are denied. Ctrl+C stops the server.\n',
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await endpoint.stop();
  return exitCodes.completed;
}
