import { defaultAgentSettings } from '../../src/agent/agentSettings';
import type { AgentConfiguration } from '../../src/agent/chooseAgent';
import { createAgent } from '../../src/agent/createAgent';
import type { ApprovalAsk } from '../../src/agent/createClient';
import { KeyStore, memorySecrets } from '../../src/agent/servers/keys';
import { SlotQueue } from '../../src/agent/servers/slotQueue';
import { createAgentRuns, denyAll } from '../../src/endpoint/agentRuns';
import type { EndpointLimits } from '../../src/endpoint/limits';
import { startEndpoint, type Endpoint } from '../../src/endpoint/server';
import { createFetch } from '../../src/sdk/model/httpTransport';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';

export const TOKEN = 'test-token-of-32-characters-here';

export interface ServedAgentOptions {
  readonly modelUrl: string;
  readonly folder: string;
  readonly ask?: ApprovalAsk | undefined;
  readonly settings?: Partial<AgentConfiguration> | undefined;
  readonly limits?: Partial<EndpointLimits> | undefined;
  readonly slots?: SlotQueue | undefined;
}

/** An endpoint with a real agent behind it, and the lines it logged. */
export async function serveAgent(
  given: ServedAgentOptions,
): Promise<{ readonly endpoint: Endpoint; readonly lines: readonly string[] }> {
  const lines: string[] = [];
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
  let count = 0;
  const endpoint = await startEndpoint({
    runs: createAgentRuns({
      createClient,
      ask: given.ask ?? denyAll,
      permissionMode: () => settings.permissionMode,
    }),
    token: () => TOKEN,
    port: 0,
    log: (line) => lines.push(line),
    limits: given.limits,
    now: () => 1_700_000_000_000,
    newId: () => String((count += 1)),
  });
  return { endpoint, lines };
}
