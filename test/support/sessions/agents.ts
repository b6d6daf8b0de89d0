import assert from 'node:assert/strict';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { type AgentConfiguration } from '../../../src/agent/configuration/chooseAgent';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import type { CreateClientInput } from '../../../src/agent/configuration/sessionClient';
import type { ApprovalAsk } from '../../../src/agent/approval/approver';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { McpOffer } from '../../../src/mcp/mcpServers';
import type { Client } from '../../../src/sdk/client';
import type { AgentEvent } from '../../../src/sdk/events';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import type { CodeNavigation } from '../../../src/workspace/codeNavigation';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { ModelServer } from '../servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';

const nobody: ApprovalAsk = () => assert.fail('nobody may be asked');

/** Parts of the agent. Absent ones have the values of an ordinary window. */
export interface GivenAgent {
  readonly settings?: Partial<AgentConfiguration>;
  readonly keys?: KeyStore;
  readonly isTrusted?: () => boolean;
  readonly slots?: SlotQueue;
  readonly warn?: (message: string) => void;
  readonly mcp?: () => Promise<McpOffer>;
  readonly codeNavigation?: CodeNavigation;
}

/** Agents with a folder and a model server. */
export interface Agents {
  readonly server: ModelServer;
  readonly folder: TemporaryFolder;
  /** Ends the server and starts another. */
  replaceServer(start: () => Promise<ModelServer>): Promise<void>;
  /** Creates clients. Fails the test when a call asks and no `ask` is given. */
  agent(given?: GivenAgent): (ask?: ApprovalAsk, more?: Partial<CreateClientInput>) => Promise<Client>;
  /** Runs a prompt, and returns the last text. */
  run(client: Client, prompt: string, onEvent?: (event: AgentEvent) => void): Promise<string>;
}

/** Makes them for each test of the surrounding `describe`, and removes them after it. */
export function useAgents(): Agents {
  let server: ModelServer;
  let folder: TemporaryFolder;
  const clients: Client[] = [];

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server.dispose();
    await folder.dispose();
  });

  function agent({
    settings = {},
    keys = new KeyStore({ secrets: memorySecrets() }),
    isTrusted,
    slots,
    warn,
    mcp,
    codeNavigation,
  }: GivenAgent = {}) {
    const create = createAgent({
      settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm', ...settings }),
      ports: { ...createNodePorts(), codeNavigation },
      roots: () => [{ name: 'app', path: folder.path }],
      isTrusted: isTrusted ?? (() => true),
      keys,
      slots: slots ?? new SlotQueue(),
      warn,
      mcp,
      fetch: createFetch(),
      platform: 'linux',
    });
    return async (ask: ApprovalAsk = nobody, more: Partial<CreateClientInput> = {}): Promise<Client> => {
      const { client } = await create({
        history: [],
        sessionId: 's',
        ...more,
        recordCheckpoint: () => Promise.resolve(),
        ask,
      });
      clients.push(client);
      return client;
    };
  }

  async function run(client: Client, prompt: string, onEvent?: (event: AgentEvent) => void): Promise<string> {
    const events = client.run(prompt);
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done) return next.value.primaryText;
      onEvent?.(next.value);
    }
  }

  return {
    get server() {
      return server;
    },
    get folder() {
      return folder;
    },
    async replaceServer(start) {
      await server.dispose();
      server = await start();
    },
    agent,
    run,
  };
}
