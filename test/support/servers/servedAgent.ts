import path from 'node:path';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import type { Approver, ApprovalAsk } from '../../../src/agent/approval/approver';
import type { AgentConfiguration } from '../../../src/agent/configuration/chooseAgent';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import type { CreateClient } from '../../../src/agent/configuration/sessionClient';
import { FileClaims } from '../../../src/agent/session/fileClaims';
import { ServedSessions } from '../../../src/agent/session/servedSessions';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { denyAll, type AgentRuns } from '../../../src/endpoint/runs/agentRuns';
import type { EndpointLimits } from '../../../src/endpoint/http/limits';
import { startEndpoint, type Endpoint } from '../../../src/endpoint/startEndpoint';
import { createSessionRuns } from '../../../src/endpoint/runs/sessionRuns';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { ManualSchedule } from '../manualSchedule';

export const TOKEN = 'test-token-of-32-characters-here';

export interface ServedAgentOptions {
  readonly modelUrl: string;
  readonly folder: string;
  readonly ask?: ApprovalAsk | undefined;
  readonly settings?: Partial<AgentConfiguration> | undefined;
  readonly limits?: Partial<EndpointLimits> | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly slots?: SlotQueue | undefined;
}

/** An endpoint with a real agent, and its log lines. */
export async function serveAgent(
  given: ServedAgentOptions,
): Promise<{ readonly endpoint: Endpoint; readonly lines: readonly string[] }> {
  const directory = path.join(given.folder, '.sessions');
  return serveSessions({ ...given, directory, approver: { ask: given.ask ?? denyAll } });
}

export interface ServedSessionsOptions extends Omit<ServedAgentOptions, 'ask'> {
  /** The folder for session files. */
  readonly directory: string;
  readonly approver: Approver;
  readonly onScreen?: readonly string[] | undefined;
  /** The number of kept sessions from programs. */
  readonly keep?: number | undefined;
}

/** The same with a session for each run, as in VS Code. */
export async function serveSessions(given: ServedSessionsOptions) {
  const { createClient, settings } = agentOf(given);
  const errors: unknown[] = [];
  const onInternalError = (error: unknown): void => void errors.push(error);
  const schedule = new ManualSchedule();
  const served = new ServedSessions({ questionMs: () => 600_000, setTimer: schedule.schedule, onInternalError });
  const registry = new SessionRegistry({
    directory: given.directory,
    claims: new FileClaims(),
    createClient: served.createClient(createClient),
    approver: given.approver,
    workspace: 'file:///w',
    permissionMode: () => settings.permissionMode,
    onInternalError,
  });
  const world = { isTrusted: true };
  const runs = createSessionRuns({
    registry,
    served,
    isTrusted: () => world.isTrusted,
    isOnScreen: (id) => given.onScreen?.includes(id) ?? false,
    onInternalError,
    onUnsaved: onInternalError,
    keep: given.keep,
  });
  return { ...(await serveRuns(runs, given)), registry, served, schedule, errors, world };
}

function agentOf(given: ServedAgentOptions): { createClient: CreateClient; settings: AgentConfiguration } {
  const settings: AgentConfiguration = {
    ...defaultAgentSettings,
    baseUrl: given.modelUrl,
    model: 'm',
    ...given.settings,
  };
  const createClient = createAgent({
    settings: () => settings,
    ports: createNodePorts(),
    roots: () => [{ name: 'app', path: given.folder }],
    isTrusted: () => true,
    keys: new KeyStore({ secrets: memorySecrets() }),
    slots: given.slots ?? new SlotQueue(),
    fetch: createFetch(),
    platform: 'linux',
  });
  return { createClient, settings };
}

async function serveRuns(
  runs: AgentRuns,
  { limits, allowedOrigins }: Pick<ServedAgentOptions, 'limits' | 'allowedOrigins'>,
) {
  const lines: string[] = [];
  let count = 0;
  const endpoint = await startEndpoint({
    runs,
    token: () => TOKEN,
    port: 0,
    log: (line) => lines.push(line),
    limits,
    allowedOrigins,
    now: () => 1_700_000_000_000,
    newId: () => String((count += 1)),
  });
  return { endpoint, lines };
}
