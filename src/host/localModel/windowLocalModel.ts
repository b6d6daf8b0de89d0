import { existsSync } from 'node:fs';
import path from 'node:path';
import type { KeyStore } from '../../agent/servers/keys';
import type { OwnServer } from '../../agent/servers/access/serverConnection';
import type { LocalServer } from '../../localModel/run/localServer';
import type { LocalServerStatus } from '../../localModel/run/keeperMessages';
import type { SetUpState } from '../../protocol/toWebview';
import { DisposableStore, type Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { createLazy } from '../../util/lazy';
import { readLocalModelSettings } from '../settings/localModelSettings';

export interface WindowLocalModelParts {
  /** VS Code's global storage. */
  readonly storage: string;
  readonly keys: Pick<KeyStore, 'set'>;
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
  #status: LocalServerStatus = { kind: 'idle' };
  #setUp: ShownSetUp | undefined;
  #keptKey = '';

  constructor(parts: WindowLocalModelParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Where models and programs are kept. */
  get folder(): string {
    return readLocalModelSettings().folder || path.join(this.#parts.storage, 'local-models');
  }

  get status(): LocalServerStatus {
    return this.#status;
  }

  /** What happens now, in a few words for the status bar. Empty: nothing. */
  get doing(): string {
    if (this.#setUp && this.#setUp.kind !== 'starting') return this.#setUp.short;
    const isStarting = this.#setUp !== undefined || this.#status.kind === 'starting';
    return this.#loading ?? (isStarting ? 'starting the model' : '');
  }

  /** How much of the model is loaded. `undefined`: it does not load. */
  get #loading(): string | undefined {
    if (this.#status.kind !== 'loading') return undefined;
    return this.#status.percent === undefined ? 'loading' : `loading ${this.#status.percent} %`;
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

  /** The address of the server that was set up on this machine. `undefined`: none was. */
  async find({
    mayStart,
    signal,
  }: {
    readonly mayStart: boolean;
    readonly signal: AbortSignal;
  }): Promise<OwnServer | undefined> {
    if (!existsSync(path.join(this.folder, 'state.json'))) return undefined;
    const server = await this.#server.get();
    if (!(await server.isSetUp())) return undefined;
    const status = mayStart ? await server.start(signal) : server.status;
    switch (status.kind) {
      case 'ready':
      case 'loading':
        await this.#keepKey(status.baseUrl, status.key);
        return { kind: 'running', baseUrl: status.baseUrl };
      case 'failed':
        return { kind: 'stopped', message: `${status.message}\n${status.lastWords}`.trim() };
      case 'stopped': {
        const why = status.reason === 'unused' ? 'was not used for a while, so it was stopped' : 'was stopped';
        return { kind: 'stopped', message: `The model on this machine ${why}. Retry starts it.` };
      }
      case 'idle':
      case 'starting':
        return { kind: 'stopped', message: 'The model on this machine is starting.' };
      default:
        return status satisfies never;
    }
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
        program: { file: path.join(__dirname, 'keeperProcess.js') },
        idleMs: () => readLocalModelSettings().idleMinutes * 60_000,
        onInternalError: this.#parts.onInternalError,
      }),
    );
    this.#owned.add(
      server.onChange(() => {
        this.#status = server.status;
        this.#changes.emit();
      }),
    );
    return server;
  }

  async #keepKey(baseUrl: string, key: string): Promise<void> {
    if (this.#keptKey === `${baseUrl} ${key}`) return;
    await this.#parts.keys.set(baseUrl, key);
    this.#keptKey = `${baseUrl} ${key}`;
  }
}
