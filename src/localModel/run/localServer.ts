import * as l10n from '../../util/l10n';
import { Emitter } from '../../util/emitter';
import type { Disposable } from '../../util/disposable';
import { readState } from '../localState';
import type { Launch } from './launch';
import { takeExistingLease, takeLease, type KeeperProgram, type Lease } from './keeperClient';
import type { LocalServerStatus } from './keeperMessages';

export interface LocalServerParts {
  /** Where everything is kept. It may change with the settings. */
  readonly folder: () => string;
  readonly program: KeeperProgram;
  /** How long the server may be unused. 0: it is stopped only when nobody holds a lease. */
  readonly idleMs: () => number;
  readonly onInternalError: (error: unknown) => void;
}

export interface StartOptions {
  readonly untilReady?: boolean;
  readonly unlessStopped?: boolean;
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
  /** How many stops of this window the keeper has not answered. What it says before is out of date. */
  #unansweredStops = 0;
  /** Ends the starts that wait. */
  readonly #starts = new Set<() => void>();
  #isDisposed = false;

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

  /** The model that was set up. `undefined`: none was. */
  async chosen(): Promise<Launch | undefined> {
    return (await readState(this.#parts.folder())).chosen;
  }

  /** Takes a lease if another window or command has a keeper. Starts nothing. Resolves with the status. */
  async join(): Promise<LocalServerStatus> {
    const folder = this.#parts.folder();
    if (folder !== this.#folder) {
      this.#letGo();
      this.#folder = folder;
      if (this.#status.kind !== 'idle') this.#set({ kind: 'idle' });
    }
    if (this.#taking) return this.#status;
    const lease = await takeExistingLease({ folder, onInternalError: this.#parts.onInternalError });
    if (!lease) return this.#status;
    // A start may have taken one meanwhile.
    if (this.#isDisposed || this.#taking || folder !== this.#folder) lease.dispose();
    else {
      this.#taking = Promise.resolve(lease);
      this.#hold(lease);
    }
    return this.#status;
  }

  /**
   * Takes a lease and has the chosen model served. Resolves when the server answers, loading or ready, or when it has failed or was
   * stopped meanwhile. `unlessStopped`: a server that was stopped or has failed before stays so. Rejects when the signal is aborted or
   * no keeper can be started.
   */
  async start(signal: AbortSignal, options: StartOptions = {}): Promise<LocalServerStatus> {
    const { untilReady = false, unlessStopped = false } = options;
    const lease = await this.#held();
    signal.throwIfAborted();
    if (unlessStopped && (this.#status.kind === 'stopped' || this.#status.kind === 'failed')) return this.#status;
    return new Promise((resolve, reject) => {
      const isDone = ({ kind }: LocalServerStatus): boolean =>
        kind === 'ready' || kind === 'failed' || kind === 'stopped' || (kind === 'loading' && !untilReady);
      const end = (): void => {
        listening.dispose();
        this.#starts.delete(finish);
        signal.removeEventListener('abort', onAbort);
      };
      const finish = (): void => {
        end();
        resolve(this.#status);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped.'));
      };
      let isAnswered = false;
      const listening = this.onChange(() => {
        // It was said before the keeper had read the message below.
        if (this.#status.kind === 'stopped' && !isAnswered) return;
        isAnswered = true;
        if (isDone(this.#status)) finish();
      });
      this.#starts.add(finish);
      signal.addEventListener('abort', onAbort, { once: true });
      lease.send({ type: 'start', idleMs: this.#parts.idleMs() });
    });
  }

  /** Stops the server for all windows. The status says so at once. Does nothing when this window holds no lease. */
  stop(): void {
    if (!this.#lease) return;
    this.#unansweredStops += 1;
    this.#lease.send({ type: 'stop' });
    this.#set({ kind: 'stopped', reason: 'asked' });
    for (const finish of [...this.#starts]) finish();
  }

  /** Applies a changed `idleMs` to a server that runs. */
  idleChanged(): void {
    this.#lease?.send({ type: 'idle', idleMs: this.#parts.idleMs() });
  }

  /** Lets the process end although the lease is held. */
  unref(): void {
    this.#lease?.unref();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#changes.dispose();
    this.#letGo();
  }

  #letGo(): void {
    this.#lease?.dispose();
    this.#lease = undefined;
    this.#unansweredStops = 0;
    void this.#taking?.then((lease) => lease.dispose()).catch(() => {});
    this.#taking = undefined;
    for (const finish of [...this.#starts]) finish();
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
    if (folder === this.#folder) this.#hold(lease);
    return lease;
  }

  #hold(lease: Lease): void {
    this.#lease = lease;
    lease.onChange((status) => {
      if (this.#lease !== lease) return;
      if (status) return this.#hear(status);
      // The keeper was killed. The next start makes a new one, which ends the old server.
      this.#lease = undefined;
      this.#taking = undefined;
      this.#unansweredStops = 0;
      this.#set({
        kind: 'failed',
        message: l10n.t('The process that keeps the model server has ended.'),
        lastWords: '',
      });
    });
    this.#set(lease.status);
  }

  #hear(status: LocalServerStatus): void {
    if (this.#unansweredStops > 0) {
      if (status.kind === 'stopped' || status.kind === 'failed') this.#unansweredStops -= 1;
      return;
    }
    this.#set(status);
  }

  #set(status: LocalServerStatus): void {
    this.#status = status;
    this.#changes.emit();
  }
}
