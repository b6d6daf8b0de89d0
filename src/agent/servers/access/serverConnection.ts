import * as l10n from '../../../util/l10n';
import type { Disposable } from '../../../util/disposable';
import { Emitter } from '../../../util/emitter';
import { messageOf } from '../../../util/errors';
import type { AgentErrorInfo } from '../../../sdk/errors';
import { systemTimer, type SetTimer } from '../../../util/timer';
import type { ServerSettings } from '../connectToServer';
import { loadModel, unloadModel, type LoadOutcome } from '../model/loadModel';
import { chooseModel } from '../model/chooseModel';
import { discoverServer, discoverServers, usualPorts, type DiscoveryOptions } from '../probe/discovery';
import { getJson } from '../probe/getJson';
import { modelListOf, probeServer, type FoundServer, type ServerProbe } from '../probe/serverProbe';
import type { ConnectionState, ModelSummary } from '../../view/server/connectionState';
import type { ExamSummaries } from './examSummaries';
import type { ModelAccess } from './modelAccess';
import type { ModelSelection } from './modelSelection';
import { notRunning, restingServer, type OwnServer, type OwnServers } from './ownServer';
import { summarizeModels, type ContextWindowSettings } from './modelSummaries';

export interface ServerConnectionParts {
  /** The settings, with those of the profile in use. */
  readonly settings: () => ServerSettings & ContextWindowSettings;
  readonly selection: ModelSelection;
  readonly access: Pick<ModelAccess, 'keys' | 'fetch' | 'slots' | 'quirks'>;
  /** The results of exams. Absent: no model was examined. */
  readonly exams?: Pick<ExamSummaries, 'of' | 'onChange'> | undefined;
  readonly onInternalError: (error: unknown) => void;
  readonly setTimer?: SetTimer | undefined;
  /** The server that was set up on this machine. It is used while the settings name no server. */
  readonly ownServer?: OwnServers | undefined;
  /** The code runs on another machine than the person's screen. */
  readonly isRemote?: boolean | undefined;
  /** Where to look for a server when none is set. Absent: the usual ports. */
  readonly ports?: readonly number[] | undefined;
}

export interface WakeOptions {
  readonly unlessStopped?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** How long to wait before probing an absent server again, while a webview is watching. */
const WATCH_INTERVAL_MS = 4_000;

/** How long to wait before asking a server that was there whether it still is, while a webview is watching. */
const GLANCE_INTERVAL_MS = 10_000;
const GLANCE_TIMEOUT_MS = 5_000;

/**
 * The state of the model server in use: its address, its kind, its models, and the model in use. It probes on demand. While
 * a webview is watching, it probes an absent server again and again, because it may be starting. A server that is there is
 * asked for its model list now and then, because it may end or get another model.
 */
export class ServerConnection implements Disposable {
  readonly #parts: ServerConnectionParts;
  readonly #changes: Emitter<void>;
  readonly #ports: readonly number[];
  readonly #setTimer: SetTimer;
  readonly #quirkChanges: Disposable;
  readonly #examChanges: Disposable | undefined;
  #state: ConnectionState = { kind: 'unknown' };
  #server: FoundServer | undefined;
  /** The state that listeners know, as JSON. */
  #shown = '';
  #look: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #isWatched = false;
  #wasWatched = false;
  /** The server of this machine while it does not run, with the model that it will serve. */
  #resting: FoundServer | undefined;
  #glance: AbortController | undefined;
  /** The model list at the last glance, as JSON. */
  #glanced: string | undefined;
  #timer: Disposable | undefined;

  constructor(parts: ServerConnectionParts) {
    this.#parts = parts;
    this.#ports = parts.ports ?? usualPorts;
    this.#setTimer = parts.setTimer ?? systemTimer;
    this.#changes = new Emitter(parts.onInternalError);
    this.#quirkChanges = parts.access.quirks.onChange(() => this.reconsider());
    this.#examChanges = parts.exams?.onChange(() => this.reconsider());
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
    const { settings, access, exams } = this.#parts;
    return summarizeModels(server, settings(), access.quirks, (model) => exams?.of(server.baseUrl, model));
  }

  get selectedModel(): string | undefined {
    const server = this.#server;
    if (!server) return undefined;
    const choice = chooseModel(server, this.#parts.selection.wantedAt(server.baseUrl));
    return choice.ok ? choice.model : undefined;
  }

  /** The address of the server, found or set; `undefined` when none is set and none was found. */
  get baseUrl(): string | undefined {
    if (this.#server) return this.#server.baseUrl;
    if (this.#state.kind === 'failed') return this.#state.baseUrl || undefined;
    return this.#parts.settings().baseUrl || undefined;
  }

  /** The server in use, when `baseUrl` is its address. */
  serverAt(baseUrl: string): FoundServer | undefined {
    return this.#server?.baseUrl === baseUrl ? this.#server : undefined;
  }

  /** The server of this machine while it does not run. It has no address, and `wake` starts it. */
  get resting(): FoundServer | undefined {
    return this.#resting;
  }

  /** The server and model to work with: as found, otherwise as set. A server that loads its model counts as found. */
  get target(): ServerSettings {
    const { baseUrl, model } = this.#parts.settings();
    const state = this.#state;
    const loading = state.kind === 'failed' && state.isLoading ? state.baseUrl : '';
    return { baseUrl: this.#server?.baseUrl ?? (baseUrl || loading), model: this.selectedModel ?? model };
  }

  /** Probes now, and aborts a probe under way. `quiet`: shows only the result. Never rejects. */
  refresh({ quiet = false }: { readonly quiet?: boolean } = {}): Promise<void> {
    this.#look?.abort.abort();
    this.#stopWatching();
    this.#glanced = undefined;
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

  /** Resolves when the server was probed, found or not. Starts no server. `quiet`: as in `refresh`. Never rejects. */
  async ensure({ quiet = false }: { readonly quiet?: boolean } = {}): Promise<void> {
    if (this.#server && !this.#look) return;
    if (!this.#look) void this.refresh({ quiet });
    // An aborted probe was followed by another one.
    for (let look = this.#look; look; look = this.#look) await look.done;
  }

  /**
   * As `ensure`, for those who need an answer: has the server of this machine started first, if it is the one in use.
   * `unlessStopped`: a server that was stopped stays stopped. Resolves with why it cannot be used. Never rejects.
   */
  async wake({ unlessStopped = false, signal = NEVER }: WakeOptions = {}): Promise<AgentErrorInfo | undefined> {
    const own = await this.#startOwn({ unlessStopped, signal });
    if (!own) {
      await this.ensure();
      return undefined;
    }
    if (signal.aborted)
      return { code: 'interrupted', message: l10n.t('This was stopped while the model was starting.') };
    if (own.kind !== 'running') {
      await this.ensure({ quiet: true });
      return { code: 'server_error', message: own.message };
    }
    // A look that began before may have found it loading.
    if (this.#server?.baseUrl !== own.baseUrl) void this.refresh({ quiet: true });
    await this.ensure({ quiet: true });
    if (this.#state.kind !== 'failed') return undefined;
    return { code: 'connection', message: this.#state.message };
  }

  /** Does what the person expects of "Retry": starts the server of this machine if it is in use, and probes. Never rejects. */
  async retry(): Promise<void> {
    if (!this.#usesOwn) return this.refresh();
    this.#show({ kind: 'searching' }, this.#server);
    await this.#startOwn({ unlessStopped: false, signal: NEVER });
    await this.refresh({ quiet: true });
  }

  /** Uses a model of the server from now on, in this workspace. */
  async selectModel(model: string): Promise<void> {
    const { baseUrl } = this;
    if (baseUrl === undefined) return;
    await this.#parts.selection.choose(baseUrl, model);
    this.#show(this.#state, this.#server);
  }

  /** Makes the server load or unload a model, then probes it again. Never rejects. */
  async changeLoaded(model: string, isLoaded: boolean, signal: AbortSignal): Promise<LoadOutcome> {
    const server = this.#server;
    if (!server) {
      return { ok: false, error: { code: 'connection', message: l10n.t('There is no connection to a model server.') } };
    }
    const { keys, fetch } = this.#parts.access;
    let apiKey: string | undefined;
    try {
      apiKey = await keys.get(server.baseUrl);
    } catch (error) {
      const message = l10n.t('The API key of {0} could not be read: {1}', server.baseUrl, messageOf(error));
      return { ok: false, error: { code: 'unauthorized', message } };
    }
    const task = { server, model, apiKey, fetch, signal };
    const outcome = await (isLoaded ? loadModel(task) : unloadModel(task));
    await this.refresh({ quiet: true });
    return outcome;
  }

  /** Every model server on this machine. Rejects only when `signal` is aborted. */
  findServers(signal: AbortSignal): Promise<readonly ServerProbe[]> {
    return discoverServers(this.#discovery(signal));
  }

  /** Tells listeners when changed settings, learned quirks or exams change the state. Does not probe. */
  reconsider(): void {
    if (this.#server) this.#show(this.#state, this.#server);
  }

  /** Says whether a webview is watching. With the first one, the server of this machine starts, unless it was stopped. */
  setWatched(isWatched: boolean): void {
    const isFirst = isWatched && !this.#wasWatched;
    this.#wasWatched ||= isWatched;
    this.#isWatched = isWatched;
    if (!isWatched) this.#stopWatching();
    else if (isFirst && this.#usesOwn) this.#startEarly();
    else if (this.#look) return;
    else if (this.#state.kind === 'connected') this.#watchOn();
    else void this.refresh({ quiet: this.#state.kind !== 'unknown' });
  }

  dispose(): void {
    this.#isWatched = false;
    this.#look?.abort.abort();
    this.#stopWatching();
    this.#quirkChanges.dispose();
    this.#examChanges?.dispose();
    this.#changes.dispose();
  }

  get #usesOwn(): boolean {
    return this.#parts.ownServer !== undefined && this.#parts.settings().baseUrl === '';
  }

  /** A person who opens the chat will send a message soon. */
  #startEarly(): void {
    if (!this.#server) this.#show({ kind: 'searching' }, undefined);
    void this.wake({ unlessStopped: true }).then(() => {
      if (!this.#look) this.#watchOn();
    });
  }

  /** Never rejects. */
  async #startOwn(options: Required<WakeOptions>): Promise<OwnServer | undefined> {
    if (!this.#usesOwn) return undefined;
    try {
      return await this.#parts.ownServer?.start(options);
    } catch (error) {
      if (!options.signal.aborted) this.#parts.onInternalError(error);
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  #watchOn(): void {
    this.#stopWatching();
    if (!this.#isWatched) return;
    if (this.#state.kind === 'connected') {
      this.#timer = this.#setTimer(() => void this.#glanceAtServer(), GLANCE_INTERVAL_MS);
      return;
    }
    // Probing again is of no use before the key changes.
    if (this.#state.kind === 'failed' && this.#state.isUnauthorized) return;
    this.#timer = this.#setTimer(() => void this.refresh({ quiet: true }), WATCH_INTERVAL_MS);
  }

  #stopWatching(): void {
    this.#timer?.dispose();
    this.#glance?.abort();
    this.#glance = undefined;
  }

  /** Asks the server for its model list, and probes it when it has gone or the list has changed. Never rejects. */
  async #glanceAtServer(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const { keys, fetch } = this.#parts.access;
    const glance = new AbortController();
    this.#glance = glance;
    try {
      const options = { apiKey: await keys.get(server.baseUrl), fetch, timeoutMs: GLANCE_TIMEOUT_MS };
      const answer = await getJson(`${server.baseUrl}/models`, { ...options, signal: glance.signal });
      if (glance.signal.aborted) return;
      // A server that works on an answer may be silent.
      const list = answer.ok ? JSON.stringify(modelListOf(answer.body)) : this.#glanced;
      const isThere = answer.ok || answer.error.code === 'silent';
      if (!isThere || (this.#glanced !== undefined && list !== this.#glanced))
        return void this.refresh({ quiet: true });
      this.#glanced = list;
    } catch (error) {
      this.#parts.onInternalError(error);
      if (glance.signal.aborted) return;
    }
    this.#watchOn();
  }

  async #lookNow(signal: AbortSignal, quiet: boolean): Promise<void> {
    const { settings, selection, access } = this.#parts;
    const { baseUrl } = settings();
    const isConfigured = baseUrl !== '';
    if (!quiet) this.#show(isConfigured ? { kind: 'connecting', baseUrl } : { kind: 'searching' }, this.#server);
    const { keys, fetch } = access;
    const own = isConfigured ? undefined : await this.#parts.ownServer?.find();
    signal.throwIfAborted();
    this.#resting = own && own.kind !== 'running' && own.model ? restingServer(own.model) : undefined;
    if (own && own.kind !== 'running') return this.#show(notRunning(own), undefined);
    const address = own?.baseUrl ?? baseUrl;
    const probe = address
      ? await probeServer(address, { apiKey: await keys.get(address), fetch, signal })
      : await discoverServer((url) => selection.wantedAt(url), {
          ...this.#discovery(signal),
          preferred: this.#server?.baseUrl,
        });
    signal.throwIfAborted();
    this.#showFound(probe, isConfigured);
  }

  #discovery(signal: AbortSignal): DiscoveryOptions {
    const { keys, fetch } = this.#parts.access;
    return { keys, fetch, signal, ports: this.#ports };
  }

  #showFound(probe: ServerProbe | undefined, isConfigured: boolean): void {
    if (!probe)
      return this.#show(
        { kind: 'not_found', triedPorts: this.#ports, ...(this.#parts.isRemote && { isRemote: true }) },
        undefined,
      );
    const { baseUrl } = probe;
    if (!probe.ok) {
      const { message, code } = probe.error;
      return this.#show(
        {
          kind: 'failed',
          baseUrl,
          message,
          isUnauthorized: code === 'unauthorized',
          ...(code === 'model_loading' && { isLoading: true }),
        },
        undefined,
      );
    }
    const { models, slots, name: serverName, canLoad } = probe;
    if (models.length === 0) return this.#show({ kind: 'no_models', baseUrl }, probe);
    if (slots !== undefined) this.#parts.access.slots.setSize(baseUrl, slots);
    this.#show({ kind: 'connected', baseUrl, serverName, isConfigured, ...(canLoad && { canLoad }) }, probe);
  }

  #show(state: ConnectionState, server: FoundServer | undefined): void {
    this.#state = state;
    this.#server = server;
    // The same server with another model in use is a change too.
    const shown = JSON.stringify([state, server, this.#resting, this.selectedModel, this.models]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#changes.emit();
  }
}
