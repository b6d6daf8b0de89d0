import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { delay } from '../../util/async/delay';
import { Emitter } from '../../util/emitter';
import { readKeeperFile } from './keeperFile';
import { MAX_LINE, parseStatus, type LocalServerStatus, type ToKeeper } from './keeperMessages';
import { readLines } from './lines';

export interface KeeperProgram {
  /** The built `keeperProcess`. */
  readonly file: string;
  /** Arguments for Node before the file. */
  readonly nodeArguments?: readonly string[] | undefined;
  readonly graceMs?: number | undefined;
  readonly pollMs?: number | undefined;
}

export interface LeaseOptions {
  readonly folder: string;
  readonly program: KeeperProgram;
  readonly onInternalError: (error: unknown) => void;
}

/** A reload of a window takes some seconds. */
const DEFAULT_GRACE_MS = 20_000;
const DEFAULT_POLL_MS = 5_000;
const CONNECT_LIMIT_MS = 30_000;
const START_AGAIN_MS = 8_000;
const POLL_MS = 100;

/** The right of a window to the model server: while it is held, the keeper lives. */
export interface Lease {
  readonly status: LocalServerStatus;
  /** Called with every status, and with `undefined` when the keeper has gone. */
  readonly onChange: Emitter<LocalServerStatus | undefined>['on'];
  send(message: Exclude<ToKeeper, { readonly type: 'hello' }>): void;
  /** Lets the process end although the lease is held. The end of the process ends the lease. */
  unref(): void;
  dispose(): void;
}

/** Connects to the keeper of a folder, and starts it when there is none. Rejects when none can be started. */
export async function takeLease(options: LeaseOptions): Promise<Lease> {
  const end = performance.now() + CONNECT_LIMIT_MS;
  let startMs = -Infinity;
  for (;;) {
    const known = await readKeeperFile(options.folder);
    const lease = known && (await connectTo(known.port, known.token, options.onInternalError));
    if (lease) return lease;
    const now = performance.now();
    if (now > end) throw new Error('The process that keeps the model server cannot be started.');
    // Of several keepers that start at once, one stays.
    if (now - startMs > START_AGAIN_MS) {
      startMs = now;
      await startKeeper(options);
    }
    await delay(POLL_MS);
  }
}

/** Whether a keeper runs for a folder. Does not start one. */
export async function takeExistingLease({
  folder,
  onInternalError,
}: Omit<LeaseOptions, 'program'>): Promise<Lease | undefined> {
  const known = await readKeeperFile(folder);
  return known && connectTo(known.port, known.token, onInternalError);
}

/** It outlives this process, and holds nothing of it. */
async function startKeeper({ folder, program, onInternalError }: LeaseOptions): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { file, nodeArguments = [], graceMs = DEFAULT_GRACE_MS, pollMs = DEFAULT_POLL_MS } = program;
  const child = spawn(process.execPath, [...nodeArguments, file, folder, String(graceMs), String(pollMs)], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.on('error', onInternalError);
  child.unref();
}

function connectTo(port: number, token: string, onInternalError: (error: unknown) => void): Promise<Lease | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let lease: KeeperLease | undefined;
    const timer = setTimeout(() => socket.destroy(), 3_000);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      lease?.gone();
      resolve(undefined);
    });
    socket.on('connect', () => socket.write(`${JSON.stringify({ type: 'hello', token } satisfies ToKeeper)}\n`));
    readLines(socket, MAX_LINE, (line) => {
      const status = parseStatus(line);
      if (!status) {
        socket.destroy();
        return;
      }
      clearTimeout(timer);
      if (lease) lease.tell(status);
      else resolve((lease = new KeeperLease(socket, status, onInternalError)));
    });
  });
}

class KeeperLease implements Lease {
  readonly #socket: Socket;
  readonly #changes: Emitter<LocalServerStatus | undefined>;
  #status: LocalServerStatus;
  #isDisposed = false;

  constructor(socket: Socket, status: LocalServerStatus, onInternalError: (error: unknown) => void) {
    this.#socket = socket;
    this.#status = status;
    this.#changes = new Emitter(onInternalError);
  }

  get status(): LocalServerStatus {
    return this.#status;
  }

  get onChange(): Emitter<LocalServerStatus | undefined>['on'] {
    return this.#changes.on;
  }

  tell(status: LocalServerStatus): void {
    this.#status = status;
    this.#changes.emit(status);
  }

  gone(): void {
    if (!this.#isDisposed) this.#changes.emit(undefined);
  }

  send(message: Exclude<ToKeeper, { readonly type: 'hello' }>): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  unref(): void {
    this.#socket.unref();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#changes.dispose();
    this.#socket.destroy();
  }
}
