import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createSandboxOffer } from '../../../src/agent/approval/sandbox/sandboxOffer';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import type { CreateClient, CreateClientInput } from '../../../src/agent/configuration/sessionClient';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { ChatSessions } from '../../../src/agent/session/chatSessions';
import { ServedSessions } from '../../../src/agent/session/servedSessions';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { systemTimer } from '../../../src/util/timer';
import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../../src/workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../../src/workspace/node/checkpoints/workspaceScanner';
import { createNodeCommands } from '../../../src/workspace/node/commands/createNodeCommands';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { ModelServer } from '../../support/servers/modelServer';

const SESSION = 's';
const fail = (error: unknown): void => assert.fail(String(error));

/** The mode "Auto in the sandbox" is chosen. It must count in the panel alone. */
describe('the mode "Auto in the sandbox"', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  let asked: string[];

  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
  });

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'ws/a.txt': 'one\n' });
    asked = [];
  });

  afterEach(async () => {
    await server?.dispose();
    await folder?.dispose();
  });

  interface Place {
    readonly isTrusted?: boolean;
    readonly hasCheckpoints?: boolean;
    readonly wrap?: (create: CreateClient) => CreateClient;
  }

  /** Lets the model run a command and write a file, denies all questions, and tells what was asked and done. */
  async function tryIn({ isTrusted = true, hasCheckpoints = true, wrap = (create) => create }: Place) {
    const storage = path.join(folder.path, 'storage');
    await mkdir(storage);
    const roots = () => [{ name: 'ws', path: path.join(folder.path, 'ws') }];
    const commands = createNodeCommands({
      outputsDirectory: path.join(storage, 'outputs'),
      recordsDirectory: path.join(storage, 'records'),
      onInternalError: fail,
    });
    const ports = { ...createNodePorts(), ...commands.ports };
    const blobs = createBlobFolder(path.join(storage, 'checkpoints'));
    const scanner = createWorkspaceScanner({ roots, blobs, ownFolder: storage });
    const create = wrap(
      createAgent({
        settings: () => ({
          ...defaultAgentSettings,
          baseUrl: server.baseUrl,
          model: 'm',
          permissionMode: 'sandbox',
        }),
        ports,
        roots,
        commandOptions: () => ({ inTerminal: false }),
        isTrusted: () => isTrusted,
        keys: new KeyStore({ secrets: memorySecrets() }),
        slots: new SlotQueue(),
        ...(hasCheckpoints && {
          checkpoints: { blobs, contents: createFileContents(ports.fileSystem), scanner, onInternalError: fail },
        }),
        offerSandbox: createSandboxOffer({ ports, roots, scanner, isTrusted: () => isTrusted }),
        commandMachine: createNodeCommandWorld(),
        fetch: createFetch(),
        platform: 'linux',
      }),
    );
    server.script(
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'echo made > by-command' } }] },
      { toolCalls: [{ name: 'write_file', arguments: { path: 'by-edit', content: 'made\n' } }] },
      { text: 'Done.' },
    );
    const input: CreateClientInput = {
      history: [],
      sessionId: SESSION,
      recordCheckpoint: async () => {},
      ask: async ({ toolName, plan, askedBy = 'panel' }) => {
        asked.push(`${askedBy}: ${toolName}`);
        assert.equal(plan.kind === 'command' && plan.confinement !== undefined, false);
        return { action: 'deny' };
      },
    };
    const { client } = await create(input);
    try {
      const events = client.run('Go.');
      for (let next = await events.next(); !next.done;) next = await events.next();
    } finally {
      await client.close();
      await commands.ports.backgroundCommands.dispose();
    }
    const made: string[] = [];
    for (const name of ['by-command', 'by-edit'])
      if ((await ports.fileSystem.stat(path.join(folder.path, 'ws', name))) !== undefined) made.push(name);
    return { asked, made };
  }

  const DENIED = (askedBy: string) => ({
    asked: [`${askedBy}: run_terminal_command`, `${askedBy}: write_file`],
    made: [],
  });

  it('runs both without a question in the panel', async () => {
    assert.deepEqual(await tryIn({}), { asked: [], made: ['by-command', 'by-edit'] });
  });

  it('does not hold for a program that uses the endpoint', async () => {
    const served = new ServedSessions({ questionMs: () => 60_000, setTimer: systemTimer, onInternalError: fail });
    // A request without any wish of its own is one of a program, too.
    const serving = served.begin(SESSION, {});
    assert.deepEqual(await tryIn({ wrap: (create) => served.createClient(create) }), DENIED('endpoint'));
    serving.dispose();
    served.dispose();
  });

  it("does not hold in VS Code's chat", async () => {
    const chat = new ChatSessions();
    const answering = chat.begin(SESSION);
    assert.deepEqual(await tryIn({ wrap: (create) => (input) => create(chat.wrap(input)) }), DENIED('chat'));
    answering.dispose();
  });

  it('holds again in the panel once the chat has its answer', async () => {
    const chat = new ChatSessions();
    chat.begin(SESSION).dispose();
    const outcome = await tryIn({ wrap: (create) => (input) => create(chat.wrap(input)) });
    assert.deepEqual(outcome, { asked: [], made: ['by-command', 'by-edit'] });
  });

  it('does nothing in an untrusted workspace, and asks nothing', async () => {
    assert.deepEqual(await tryIn({ isTrusted: false }), { asked: [], made: [] });
  });

  it('does not hold where changes could not be undone', async () => {
    assert.deepEqual(await tryIn({ hasCheckpoints: false }), DENIED('panel'));
  });
});
