import assert from 'node:assert/strict';
import path from 'node:path';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { openModelAccess } from '../../../src/agent/servers/access/modelAccess';
import { ModelSelection } from '../../../src/agent/servers/access/modelSelection';
import { ServerConnection } from '../../../src/agent/servers/access/serverConnection';
import { findAnsweringModel, wholeAnswer } from '../../../src/agent/servers/askModel';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import { answeringModel } from '../../../src/host/answeringModel';
import { followTarget } from '../../../src/host/followTarget';
import { LocalModels } from '../../../src/host/languageModels/localModels';
import { followLocalModel } from '../../../src/host/localModel/followLocalModel';
import { WindowLocalModel } from '../../../src/host/localModel/windowLocalModel';
import type { OutputLog } from '../../../src/host/outputLog';
import type { WindowModels } from '../../../src/host/openWindowModels';
import type { KeeperProgram } from '../../../src/localModel/run/keeperClient';
import { AgentError } from '../../../src/sdk/errors';
import { DisposableStore } from '../../../src/util/disposable';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { ManualSchedule } from '../manualSchedule';
import { createRegistry } from '../sessions/registry';
import { MemoryOfWorkspace } from '../sessions/memoryOfWorkspace';

export interface LocalWindowOptions {
  /** Of models and programs. */
  readonly folder: string;
  /** Of session files. */
  readonly sessions: string;
  readonly keeper: KeeperProgram;
}

/** What a window of VS Code has of the model on this machine, without VS Code. */
export class LocalWindow {
  /** Minutes without use after which the model is stopped. */
  idleMinutes = 0;
  readonly server: ServerConnection;
  readonly local: WindowLocalModel;
  readonly offered: LocalModels;
  /** The timers of the panel's looks at the server. */
  readonly schedule = new ManualSchedule();
  readonly #registry: SessionRegistry;
  readonly #models: WindowModels;
  readonly #owned = new DisposableStore();

  constructor({ folder, sessions, keeper }: LocalWindowOptions) {
    const onInternalError = (error: unknown): void => assert.fail(String(error));
    const own = this.#owned;
    const settings = () => ({ ...defaultAgentSettings, baseUrl: '' });
    this.local = own.add(
      new WindowLocalModel({
        storage: '/nowhere',
        settings: () => ({ folder, idleMinutes: this.idleMinutes }),
        keeper,
        onInternalError,
      }),
    );
    const access = openModelAccess({ certificateAuthority: () => '', ownServer: this.local.requests });
    own.add(access.warmer);
    const selection = new ModelSelection({ memory: new MemoryOfWorkspace(), setting: () => '' });
    this.server = own.add(
      new ServerConnection({
        ...{ settings, selection, access, onInternalError },
        setTimer: this.schedule.schedule,
        ownServer: { find: () => this.local.find(), start: (options) => this.local.wake(options) },
        ports: [],
      }),
    );
    own.add(followLocalModel(this.local, this.server));
    const { server } = this;
    this.#models = { access, settings, server } as unknown as WindowModels;
    this.offered = own.add(new LocalModels({ ...access, settings, server, onInternalError }));
    // As VS Code does: it lists the models whenever they change.
    own.add(server.onChange(() => this.offered.reconsider()));
    own.add(this.offered.onChange(() => void this.offered.list()));
    const connect = createAgent({
      settings: () => ({ ...settings(), ...server.target }),
      ports: createNodePorts(),
      roots: () => [{ name: 'app', path: path.dirname(sessions) }],
      isTrusted: () => true,
      ...access,
      serverAt: (baseUrl) => server.serverAt(baseUrl),
      platform: 'linux',
    });
    this.#registry = createRegistry(sessions, {
      createClient: async (input) => {
        const error = await server.wake();
        if (error) throw new AgentError(error);
        return connect(input);
      },
    });
    own.add(followTarget(server, this.#registry));
  }

  newSession(): Promise<AgentSession> {
    return this.#registry.create();
  }

  openSession(id: string): Promise<AgentSession> {
    return this.#registry.open(id);
  }

  /** A commit message, an edit in an editor or a review. */
  async ask(): Promise<string> {
    const { signal } = new AbortController();
    const nothing = (): void => {};
    const log = { info: nothing, request: nothing, response: nothing } as unknown as OutputLog;
    const model = await findAnsweringModel(answeringModel(this.#models, log), signal);
    return wholeAnswer(model, { systemPrompt: '', prompt: 'Hi' }, signal);
  }

  /** A request of another extension, which knows the model by its id. */
  async askAsExtension(id: string): Promise<string> {
    const request = {
      systemPrompt: '',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [],
      requiresTool: false,
    } as const;
    let said = '';
    for await (const part of this.offered.answer(id, request, new AbortController().signal)) {
      if (part.type === 'text') said += part.text;
    }
    return said;
  }

  async close(): Promise<void> {
    await this.#registry.dispose();
    this.#owned.dispose();
  }
}
