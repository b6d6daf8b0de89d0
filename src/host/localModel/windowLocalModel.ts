import { existsSync } from 'node:fs';
import path from 'node:path';
import type { OwnServer } from '../../agent/servers/access/ownServer';
import type { KeeperProgram } from '../../localModel/run/keeperClient';
import type { LocalServer } from '../../localModel/run/localServer';
import type { LocalServerStatus } from '../../localModel/run/keeperMessages';
import type { Launch } from '../../localModel/run/launch';
import { OwnRequests, statusText } from '../../localModel/run/ownRequests';
import type { SetUpState } from '../../protocol/toWebview';
import { DisposableStore, type Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import * as l10n from '../../util/l10n';
import { createLazy } from '../../util/lazy';
import type { LocalModelSettings } from '../settings/localModelSettings';

export interface WindowLocalModelParts {
  /** VS Code's global storage. */
  readonly storage: string;
  readonly settings: () => Pick<LocalModelSettings, 'folder' | 'idleMinutes'>;
  /** The process that keeps the server. */
  readonly keeper: KeeperProgram;
  readonly onInternalError: (error: unknown) => void;
}

export type SetUpAction = 'pause' | 'goOn' | 'remove';

/** A set-up that runs or is paused in this window. */
export interface ShownSetUp extends SetUpState {
  /** For the status bar. */
  readonly short: string;
  /** Carries out what the person asks for in the panel. */
  readonly steer: (action: SetUpAction) => void;
}

/** The model on this machine, as one window sees it. Loads its code only when a model was set up. */
export class WindowLocalModel implements Disposable {
  readonly #parts: WindowLocalModelParts;
  readonly #changes: Emitter<void>;
  readonly #owned = new DisposableStore();
  readonly #server = createLazy(() => this.#open());
  /** The requests of this window to the model on this machine. */
  readonly requests = new OwnRequests({ status: () => this.#status, start: (signal) => this.start(signal) });
  #status: LocalServerStatus = { kind: 'idle' };
  #setUp: ShownSetUp | undefined;

  constructor(parts: WindowLocalModelParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Where models and programs are kept. */
  get folder(): string {
    return this.#parts.settings().folder || path.join(this.#parts.storage, 'local-models');
  }

  get status(): LocalServerStatus {
    return this.#status;
  }

  /** What happens now, in a few words for the status bar. Empty: nothing. */
  get doing(): string {
    if (this.#setUp && this.#setUp.kind !== 'starting') return this.#setUp.short;
    const isStarting = this.#setUp !== undefined || this.#status.kind === 'starting';
    return this.#loading ?? (isStarting ? l10n.t('starting the model') : '');
  }

  /** How much of the model is loaded. `undefined`: it does not load. */
  get #loading(): string | undefined {
    if (this.#status.kind !== 'loading') return undefined;
    return this.#status.percent === undefined ? l10n.t('loading') : l10n.t('loading {0} %', this.#status.percent);
  }

  /** The set-up that runs or is paused, for the panel. */
  get setUp(): SetUpState | undefined {
    if (!this.#setUp) return undefined;
    const { name, kind, isForeign = false } = this.#setUp;
    const text = (kind === 'starting' ? this.#loading : undefined) ?? this.#setUp.text;
    return { name, text, kind, ...(isForeign && { isForeign }) };
  }

  /** Shows how far the set-up is. `undefined`: it has ended. */
  showSetUp(setUp: ShownSetUp | undefined): void {
    this.#setUp = setUp;
    this.#changes.emit();
  }

  /** Does nothing when no set-up runs. */
  steerSetUp(action: SetUpAction): void {
    this.#setUp?.steer(action);
  }

  /** Has the chosen model served. Resolves when it is ready or has failed. */
  async start(signal: AbortSignal): Promise<LocalServerStatus> {
    return (await this.#server.get()).start(signal, { untilReady: true });
  }

  /** Stops it for all windows. */
  async stop(): Promise<void> {
    (await this.#server.ifLoaded())?.stop();
  }

  /** Applies changed settings to a server that runs. */
  async settingsChanged(): Promise<void> {
    (await this.#server.ifLoaded())?.idleChanged();
  }

  /** The server that was set up on this machine. Starts nothing. `undefined`: none was. */
  async find(): Promise<OwnServer | undefined> {
    const chosen = await this.#chosen();
    return chosen && ownServerOf(await (await this.#server.get()).join(), chosen);
  }

  /** As `find`, and has it started. Resolves when it is ready or cannot be. `unlessStopped`: if it was stopped, it stays stopped. */
  async wake({
    unlessStopped,
    signal,
  }: {
    readonly unlessStopped: boolean;
    readonly signal: AbortSignal;
  }): Promise<OwnServer | undefined> {
    const chosen = await this.#chosen();
    if (!chosen) return undefined;
    const server = await this.#server.get();
    return ownServerOf(await server.start(signal, { untilReady: true, unlessStopped }), chosen);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changes.dispose();
  }

  async #open(): Promise<LocalServer> {
    const { LocalServer: Server } = await import('../../localModel/run/localServer');
    const server = this.#owned.add(
      new Server({
        folder: () => this.folder,
        program: this.#parts.keeper,
        idleMs: () => this.#parts.settings().idleMinutes * 60_000,
        onInternalError: this.#parts.onInternalError,
      }),
    );
    this.#owned.add(
      server.onChange(() => {
        this.#status = server.status;
        this.requests.note(this.#status);
        this.#changes.emit();
      }),
    );
    return server;
  }

  async #chosen(): Promise<Launch | undefined> {
    if (!existsSync(path.join(this.folder, 'state.json'))) return undefined;
    return (await this.#server.get()).chosen();
  }
}

function ownServerOf(status: LocalServerStatus, { name, context }: Launch): OwnServer {
  if (status.kind === 'ready' || status.kind === 'loading') return { kind: 'running', baseUrl: status.baseUrl };
  const kind = status.kind === 'idle' ? 'stopped' : status.kind;
  return { kind, message: statusText(status), model: { id: name, contextWindow: context } };
}
