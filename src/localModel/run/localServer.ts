import { Emitter } from '../../util/emitter';
import type { Disposable } from '../../util/disposable';
import { readState } from '../localState';
import { takeLease, type KeeperProgram, type Lease } from './keeperClient';
import type { LocalServerStatus } from './keeperMessages';

export interface LocalServerParts {
  /** Where everything is kept. It may change with the settings. */
  readonly folder: () => string;
  readonly program: KeeperProgram;
  /** How long the server may be unused. 0: it is stopped only when nobody holds a lease. */
  readonly idleMs: () => number;
  readonly onInternalError: (error: unknown) => void;
}

/** The model server of this machine, as one window or command sees it. Starts nothing before `start`. */
export class LocalServer implements Disposable {
  readonly #parts: LocalServerParts;
  readonly #changes: Emitter<void>;
  #taking: Promise<Lease> | undefined;
  /** Where `#taking` was taken. */
  #folder: string | undefined;
  #lease: Lease | undefined;
  #status: LocalServerStatus = { kind: 'idle' };

  constructor(parts: LocalServerParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  get status(): LocalServerStatus {
    return this.#status;
  }

  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Whether a model was set up. */
  async isSetUp(): Promise<boolean> {
    return (await readState(this.#parts.folder())).chosen !== undefined;
  }

  /**
   * Takes a lease and has the chosen model served. Resolves when the server answers, loading or ready, or when it has failed.
   * Rejects when the signal is aborted or no keeper can be started.
   */
  async start(
    signal: AbortSignal,
    { untilReady = false }: { readonly untilReady?: boolean } = {},
  ): Promise<LocalServerStatus> {
    const lease = await this.#held();
    signal.throwIfAborted();
    let isAnswered = false;
    return new Promise((resolve, reject) => {
      const isDone = ({ kind }: LocalServerStatus): boolean =>
        kind === 'ready' || kind === 'failed' || kind === 'stopped' || (kind === 'loading' && !untilReady);
      const end = (): void => {
        answers.dispose();
        listening.dispose();
        signal.removeEventListener('abort', onAbort);
      };
      const look = (): void => {
        if (!isAnswered || !isDone(this.#status)) return;
        end();
        resolve(this.#status);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'));
      };
      // The status is set by then: its listener is the older one.
      const answers = lease.onChange(() => {
        isAnswered = true;
        look();
      });
      // The keeper may go before it answers.
      const listening = this.onChange(() => {
        if (this.#lease !== lease) isAnswered = true;
        look();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      lease.send({ type: 'start', idleMs: this.#parts.idleMs() });
    });
  }

  /** Stops the server for all windows. Does nothing when this window holds no lease. */
  stop(): void {
    this.#lease?.send({ type: 'stop' });
  }

  /** Lets the process end although the lease is held. */
  unref(): void {
    this.#lease?.unref();
  }

  dispose(): void {
    this.#changes.dispose();
    this.#letGo();
  }

  #letGo(): void {
    this.#lease?.dispose();
    this.#lease = undefined;
    void this.#taking?.then((lease) => lease.dispose()).catch(() => {});
    this.#taking = undefined;
  }

  #held(): Promise<Lease> {
    const folder = this.#parts.folder();
    // Its keeper serves the model of another folder, and stops it when no window holds a lease.
    if (folder !== this.#folder) this.#letGo();
    this.#folder = folder;
    if (this.#taking) return this.#taking;
    const taking = this.#take(folder).catch((error: unknown) => {
      if (this.#taking === taking) this.#taking = undefined;
      throw error;
    });
    this.#taking = taking;
    return taking;
  }

  async #take(folder: string): Promise<Lease> {
    const { program, onInternalError } = this.#parts;
    const lease = await takeLease({ folder, program, onInternalError });
    if (folder !== this.#folder) return lease;
    this.#lease = lease;
    this.#status = lease.status;
    lease.onChange((status) => {
      if (this.#lease !== lease) return;
      if (status) return this.#set(status);
      // The keeper was killed. The next start makes a new one, which ends the old server.
      this.#lease = undefined;
      this.#taking = undefined;
      this.#set({ kind: 'failed', message: 'The process that keeps the model server has ended.', lastWords: '' });
    });
    return lease;
  }

  #set(status: LocalServerStatus): void {
    this.#status = status;
    this.#changes.emit();
  }
}
