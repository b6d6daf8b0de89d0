import type { AgentSettings } from '../../agent/configuration/agentSettings';
import { discoverServers, usualPorts } from '../../agent/servers/probe/discovery';
import type { KeyStore } from '../../agent/servers/keys';
import { chooseModel } from '../../agent/servers/model/modelChoice';
import {
  probeServer,
  type FailedProbe,
  type FoundServer,
  type ServerProbe,
} from '../../agent/servers/probe/serverProbe';
import type { SlotQueue } from '../../agent/servers/model/slotQueue';
import type { ConnectionState, ModelSummary } from '../../protocol/messages';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { ModelSelection } from './modelSelection';
import { summarizeModels } from './modelSummaries';
import type { SetTimer } from '../../util/timer';

export interface ServerConnectionParts {
  /** What is set, by the settings or a profile. */
  readonly settings: () => Pick<AgentSettings, 'baseUrl' | 'model' | 'contextWindow' | 'modelOptions'>;
  readonly selection: ModelSelection;
  readonly keys: KeyStore;
  readonly fetch: typeof fetch;
  readonly slots: SlotQueue;
  readonly schedule: SetTimer;
  readonly onInternalError: (error: unknown) => void;
  /** What the server was found not to take for a model, each in a few words. */
  readonly learned?: ((baseUrl: string, model: string) => readonly string[]) | undefined;
  /** Where to look for a server when none is set; default: the usual ports. */
  readonly ports?: readonly number[] | undefined;
}

/** How soon a server that was not there is looked for again while somebody watches. */
const watchIntervalMs = 4_000;

/**
 * What is known of the model server: where it is, what it is, its models, which of them is used. It is looked at when
 * somebody needs to know and, while somebody watches and it is not there, again and again: then it may be starting.
 */
export class ServerConnection implements Disposable {
  readonly #parts: ServerConnectionParts;
  readonly #changes: Emitter<void>;
  readonly #ports: readonly number[];
  #state: ConnectionState = { kind: 'unknown' };
  #server: FoundServer | undefined;
  /** What the listeners have been told of. */
  #shown = '';
  #look: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #isWatched = false;
  #timer: Disposable | undefined;

  constructor(parts: ServerConnectionParts) {
    this.#parts = parts;
    this.#ports = parts.ports ?? usualPorts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get models(): readonly ModelSummary[] {
    const server = this.#server;
    if (!server) return [];
    const { learned } = this.#parts;
    return summarizeModels(server, this.#parts.settings(), (model) => learned?.(server.baseUrl, model) ?? []);
  }

  get selectedModel(): string | undefined {
    const server = this.#server;
    if (!server) return undefined;
    const choice = chooseModel(server, this.#parts.selection.wantedAt(server.baseUrl));
    return choice.ok ? choice.model : undefined;
  }

  /** Where the server is or would be; `undefined` when none is set and none was found. */
  get baseUrl(): string | undefined {
    if (this.#server) return this.#server.baseUrl;
    if (this.#state.kind === 'failed') return this.#state.baseUrl;
    return this.#parts.settings().baseUrl || undefined;
  }

  /** What was found at a base URL, when that is the server in use. */
  serverAt(baseUrl: string): FoundServer | undefined {
    return this.#server?.baseUrl === baseUrl ? this.#server : undefined;
  }

  /** The server and model to work with: what is known, otherwise what is set. */
  get target(): Pick<AgentSettings, 'baseUrl' | 'model'> {
    const { baseUrl, model } = this.#parts.settings();
    return { baseUrl: this.#server?.baseUrl ?? baseUrl, model: this.selectedModel ?? model };
  }

  /** Looks now; a look that is going on is given up. `quiet` shows only what came out. Never rejects. */
  refresh({ quiet = false }: { readonly quiet?: boolean } = {}): Promise<void> {
    this.#look?.abort.abort();
    this.#timer?.dispose();
    const abort = new AbortController();
    const done = this.#lookNow(abort.signal, quiet)
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#parts.onInternalError(error);
      })
      .finally(() => {
        if (this.#look?.abort !== abort) return;
        this.#look = undefined;
        this.#watchOn();
      });
    this.#look = { abort, done };
    return done;
  }

  /** Resolves when the server is known, or known not to be there. Never rejects. */
  async ensure(): Promise<void> {
    if (this.#server && !this.#look) return;
    if (!this.#look) void this.refresh();
    // A look that was given up was followed by another one.
    for (let look = this.#look; look; look = this.#look) await look.done;
  }

  /** Uses a model of the server from now on, in this workspace. */
  async selectModel(model: string): Promise<void> {
    const { baseUrl } = this;
    if (baseUrl === undefined) return;
    await this.#parts.selection.choose(baseUrl, model);
    this.#show(this.#state, this.#server);
  }

  /** For when what is set or was learned has changed, and not the server. */
  reconsider(): void {
    if (this.#server) this.#show(this.#state, this.#server);
  }

  /** Somebody looks at the state; or nobody does any more. */
  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (!isWatched) this.#timer?.dispose();
    else if (!this.#look && this.#state.kind !== 'connected') {
      void this.refresh({ quiet: this.#state.kind !== 'unknown' });
    }
  }

  dispose(): void {
    this.#isWatched = false;
    this.#look?.abort.abort();
    this.#timer?.dispose();
    this.#changes.dispose();
  }

  #watchOn(): void {
    if (!this.#isWatched || this.#state.kind === 'connected') return;
    // Another key is needed before it can be different.
    if (this.#state.kind === 'failed' && this.#state.isUnauthorized) return;
    this.#timer = this.#parts.schedule(() => void this.refresh({ quiet: true }), watchIntervalMs);
  }

  async #lookNow(signal: AbortSignal, quiet: boolean): Promise<void> {
    const { baseUrl } = this.#parts.settings();
    if (baseUrl === '') {
      if (!quiet) this.#show({ kind: 'searching' }, this.#server);
      this.#showFound(await this.#discover(signal), false);
    } else {
      if (!quiet) this.#show({ kind: 'connecting', baseUrl }, this.#server);
      const { keys, fetch } = this.#parts;
      const apiKey = await keys.get(baseUrl);
      const probe = await probeServer(baseUrl, { apiKey, fetch, signal });
      signal.throwIfAborted();
      this.#showFound(probe, true);
    }
  }

  /** The server that was used before, one that has the wanted model, or any; otherwise one that nearly works. */
  async #discover(signal: AbortSignal): Promise<ServerProbe | undefined> {
    const { keys, fetch, selection } = this.#parts;
    const probes = await discoverServers({
      fetch,
      signal,
      ports: this.#ports,
      keyFor: (baseUrl) => keys.get(baseUrl),
    });
    signal.throwIfAborted();
    const servers = probes.filter((probe) => probe.ok);
    const offers = (server: FoundServer): boolean => {
      const wanted = selection.wantedAt(server.baseUrl);
      return wanted === '' ? server.models.length > 0 : server.models.some(({ id }) => id === wanted);
    };
    const known = servers.find(({ baseUrl }) => baseUrl === this.#server?.baseUrl);
    return known ?? servers.find(offers) ?? servers[0] ?? probes[0];
  }

  #showFound(probe: ServerProbe | undefined, isConfigured: boolean): void {
    if (!probe) this.#show({ kind: 'not_found', triedPorts: this.#ports }, undefined);
    else if (!probe.ok) this.#show(failedState(probe), undefined);
    else if (probe.models.length === 0) this.#show({ kind: 'no_models', baseUrl: probe.baseUrl }, probe);
    else {
      if (probe.slots !== undefined) this.#parts.slots.setSize(probe.baseUrl, probe.slots);
      const { baseUrl, name, canLoad } = probe;
      const state = {
        kind: 'connected',
        baseUrl,
        serverName: name,
        isConfigured,
        ...(canLoad && { canLoad }),
      } as const;
      this.#show(state, probe);
    }
  }

  #show(state: ConnectionState, server: FoundServer | undefined): void {
    this.#state = state;
    this.#server = server;
    // Another model may be wanted of the same server: then what is shown differs, too.
    const shown = JSON.stringify([state, server, this.selectedModel, this.models]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changes.emit();
  }
}

function failedState({ baseUrl, error }: FailedProbe): ConnectionState {
  return { kind: 'failed', baseUrl, message: error.message, isUnauthorized: error.code === 'unauthorized' };
}
