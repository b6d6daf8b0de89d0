import { randomBytes } from 'node:crypto';
import { portProblem } from '../endpoint/http/port';
import { ServedSessions } from '../agent/session/servedSessions';
import type { ApprovalAsk } from '../agent/approval/approver';
import { unseenWaysOut } from './agent/unseenWaysOut';
import { denyAll } from '../endpoint/runs/agentRuns';
import { createSessionRuns } from '../endpoint/runs/sessionRuns';
import { startEndpoint, type Endpoint } from '../endpoint/startEndpoint';
import { createAgentContext } from './agent/createAgentContext';
import { openAgent } from './agent/openAgent';
import { openMcpServers } from './agent/openMcpServers';
import type { CliSettings } from './arguments/cliSettings';
import type { ServeArguments } from './arguments/resolveArguments';
import type { CliProcess } from './cliProcess';
import { exitCodes } from './exitCodes';
import { openCheckpoints } from './session/checkpoints';
import { openSessions } from './session/openSessions';
import { unsavedProblem } from './session/unsaved';
import { systemTimer } from '../util/timer';
import { safeTerminalText } from './terminal/safeTerminalText';

/** Serves the agent in its folder until `cli.signal` is aborted. Returns the exit code. */
export async function serveFolder(given: ServeArguments, settings: CliSettings, cli: CliProcess): Promise<number> {
  const context = await createAgentContext(given, settings, cli);
  if (!context) return exitCodes.wrongUsage;
  const { stdout, signal } = cli;
  const { folder, log, onInternalError } = context;
  const { port, limits, allowedOrigins } = given;
  const token = given.token ?? randomBytes(32).toString('base64url');
  const mcp = settings.mcp?.length ? openMcpServers(context, undefined) : undefined;
  const { checkpoints } = openCheckpoints(context);
  const agent = openAgent(context, { mcp: mcp?.offer, checkpoints });
  const served = new ServedSessions({ questionMs: () => 0, setTimer: systemTimer, onInternalError });
  const { registry, directory } = openSessions(context, agent, {
    createClient: served.createClient(agent.createClient),
    approver: { ask: denyWithWayOut },
  });
  const tellUnsaved = (error: Error): void => log(`Error: ${safeTerminalText(unsavedProblem(error, directory))}\n`);
  const serve = async (): Promise<number> => {
    let endpoint: Endpoint;
    try {
      endpoint = await startEndpoint({
        runs: createSessionRuns({
          registry,
          served,
          isTrusted: () => true,
          isOnScreen: () => false,
          onInternalError,
          onUnsaved: tellUnsaved,
        }),
        token: () => token,
        port,
        limits,
        allowedOrigins,
        log: (line) => log(`${safeTerminalText(line)}\n`),
      });
    } catch (error) {
      log(`${portProblem(port, error)} Choose another with --port; 0 takes any free port.\n`);
      return exitCodes.failed;
    }
    stdout.write(`Serving ${safeTerminalText(folder)} at ${endpoint.baseUrl}, model open-agent.\n`);
    stdout.write(given.token === undefined ? `Token: ${token}\n` : 'Token: the one in OPEN_AGENT_TOKEN.\n');
    log(
      'The agent runs commands on this machine, as you. Calls that need an answer are denied. Ctrl+C stops the server.\n',
    );
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await endpoint.stop();
    return exitCodes.completed;
  };
  let exitCode: number;
  let unsaved: Error | undefined;
  try {
    exitCode = await serve();
  } finally {
    unsaved = await registry.dispose();
    served.dispose();
    await agent.dispose();
    await mcp?.dispose();
  }
  if (!unsaved) return exitCode;
  tellUnsaved(unsaved);
  return exitCodes.unsaved;
}

/** Denies every call that needs an answer, and names the flags that would allow it. */
const denyWithWayOut: ApprovalAsk = async (request, options) => {
  const denied = await denyAll(request, options);
  if (denied.action !== 'deny' || !request.isAboutUnseen) return denied;
  return { ...denied, reason: `${denied.reason ?? ''} ${unseenWaysOut}`.trim() };
};
