import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { delay } from '../../util/async/delay';
import { messageOf } from '../../util/errors';
import { isKeptStopped, keepStopped, readState, updateState } from '../localState';
import { announceKeeper, isStillAnnounced, withdrawKeeper } from './keeperFile';
import { MAX_LINE, parseToKeeper, type LocalServerStatus, type ToKeeper } from './keeperMessages';
import type { Launch } from './launch';
import { readLines } from './lines';
import { ServerProcess, type ServerEnd } from './serverProcess';
import { endRecordedServer, forgetServer, recordServer } from './serverRecord';

export interface KeeperOptions {
  readonly folder: string;
  /** How long it waits for another lease after the last one has ended. */
  readonly graceMs: number;
  /** How often it looks whether the server is in use. */
  readonly pollMs: number;
}

/** How long it waits for the first lease. A busy machine is slow. */
const FIRST_LEASE_MS = 20_000;

/**
 * Keeps one model server for all windows and commands of a person. Each holds a lease: an open connection, which the system closes
 * even when the process is killed. Without a lease, the keeper ends the server and itself. Resolves when it has ended.
 */
export async function keep(options: KeeperOptions): Promise<void> {
  const keeper = new Keeper(options);
  try {
    await keeper.run();
  } finally {
    await keeper.end();
  }
}

class Keeper {
  readonly #options: KeeperOptions;
  readonly #token = randomBytes(32).toString('base64url');
  readonly #leases = new Set<Socket>();
  readonly #listener: Server;
  #status: LocalServerStatus = { kind: 'idle' };
  #server: { readonly process: ServerProcess; readonly launch: Launch } | undefined;
  #leaseEndedMs = performance.now();
  #hadLease = false;
  #usedMs = performance.now();
  /** 0: never. */
  #idleMs = 0;
  /** How often the server was to be stopped. What was to start it before must not start it any more. */
  #stops = 0;
  /** Starting and stopping take turns. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#listener = createServer((socket) => this.#onConnection(socket));
  }

  async run(): Promise<void> {
    const { folder, graceMs, pollMs } = this.#options;
    if (await isKeptStopped(folder)) this.#status = { kind: 'stopped', reason: 'asked' };
    const port = await new Promise<number>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(0, '127.0.0.1', () => {
        const address = this.#listener.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    if (!(await this.#announce(port))) return;
    let polledMs = performance.now();
    while (await isStillAnnounced(folder, this.#token)) {
      const now = performance.now();
      if (this.#leases.size === 0 && now - this.#leaseEndedMs >= (this.#hadLease ? graceMs : FIRST_LEASE_MS)) return;
      if (now - polledMs >= pollMs) {
        polledMs = now;
        await this.#endWhenUnused();
      }
      await delay(Math.min(pollMs, graceMs, 500));
    }
  }

  /** Whether this is the keeper of the folder. Then it ends the server of one that was killed, before it starts another. */
  async #announce(port: number): Promise<boolean> {
    const { folder } = this.#options;
    const announced = announceKeeper(folder, { pid: process.pid, port, token: this.#token }).then(async (isKeeper) => {
      if (isKeeper) await endRecordedServer(folder);
      return isKeeper;
    });
    // Windows connect from the moment in which it is announced.
    this.#turn = announced.then(
      () => {},
      () => {},
    );
    return announced;
  }

  async end(): Promise<void> {
    this.#listener.close();
    this.#endNow();
    this.#turn = this.#turn.then(() => this.#stopServer());
    await this.#turn;
    for (const lease of this.#leases) lease.destroy();
    await withdrawKeeper(this.#options.folder, this.#token);
  }

  #onConnection(socket: Socket): void {
    let isKnown = false;
    const close = setTimeout(() => socket.destroy(), 5_000);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(close);
      if (this.#leases.delete(socket)) this.#leaseEndedMs = performance.now();
    });
    readLines(socket, MAX_LINE, (line) => {
      const message = parseToKeeper(line);
      if (!message || (!isKnown && !(message.type === 'hello' && isSame(message.token, this.#token)))) {
        socket.destroy();
        return;
      }
      if (message.type === 'hello') {
        isKnown = true;
        clearTimeout(close);
        this.#leases.add(socket);
        this.#hadLease = true;
        send(socket, this.#status);
      } else this.#obey(message);
    });
  }

  #obey(message: Exclude<ToKeeper, { type: 'hello' }>): void {
    if (message.type !== 'stop') this.#idleMs = message.idleMs;
    if (message.type === 'idle') return;
    if (message.type === 'stop') this.#endNow();
    else void this.#endOther();
    const stops = this.#stops;
    const work = message.type === 'start' ? () => this.#start(stops) : () => this.#stopAsked();
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#tell({ kind: 'failed', message: messageOf(error).slice(0, 1_000), lastWords: '' });
    });
  }

  async #start(stops: number): Promise<void> {
    const { folder } = this.#options;
    await keepStopped(folder, false);
    const { chosen, port = 0 } = await readState(folder);
    if (!chosen) {
      this.#tell({ kind: 'failed', message: 'No model is set up on this machine.', lastWords: '' });
      return;
    }
    if (this.#server && isSameLaunch(this.#server.launch, chosen)) {
      // Each start gets an answer.
      this.#tell(this.#status);
      return;
    }
    await this.#stopServer();
    const first = await this.#serve(chosen, { port, stops });
    if (first.isReady || !(await this.#isStillWanted(chosen, stops))) return;
    // Once: a driver or the memory may have been busy.
    const second = await this.#serve(chosen, { port, stops, crashed: first.lastWords });
    if (!second.isReady && (await this.#isStillWanted(chosen, stops))) this.#fail(second);
  }

  /** Starts the server and waits until it is ready. Afterwards, a crash starts it once more. */
  async #serve(launch: Launch, asked: Asked): Promise<ServerEnd & { readonly isReady: boolean }> {
    const { port, crashed } = asked;
    const { folder } = this.#options;
    this.#tell({ kind: 'starting' });
    const server = await ServerProcess.start(launch, port);
    this.#server = { process: server, launch };
    await recordServer(folder, server.pid ?? 0);
    const { baseUrl, key } = server;
    const isReady = await server.untilReady((percent) =>
      this.#tell({ kind: 'loading', baseUrl, key, ...(percent !== undefined && { percent }) }),
    );
    if (!isReady) {
      const end = await server.ended;
      this.#server = undefined;
      await forgetServer(folder, server.pid);
      return { isReady, ...end };
    }
    await updateState(folder, { port: Number(new URL(baseUrl).port) });
    this.#usedMs = performance.now();
    this.#tell({ kind: 'ready', baseUrl, key, name: launch.name, ...(crashed !== undefined && { crashed }) });
    void server.ended.then((end) => {
      this.#turn = this.#turn.then(async () => {
        // Whoever stops it on purpose takes it away first.
        if (this.#server?.process === server) await this.#onCrash(launch, end, asked);
      });
    });
    return { isReady, reason: '', lastWords: '' };
  }

  async #onCrash(launch: Launch, end: ServerEnd, { stops, crashed }: Asked): Promise<void> {
    const pid = this.#server?.process.pid;
    this.#server = undefined;
    await forgetServer(this.#options.folder, pid);
    if (!(await this.#isStillWanted(launch, stops))) return;
    if (crashed !== undefined) return this.#fail(end);
    const { port = 0 } = await readState(this.#options.folder);
    const words = `${end.reason}\n${end.lastWords}`.slice(0, 4_000);
    const again = await this.#serve(launch, { port, stops, crashed: words });
    if (!again.isReady && (await this.#isStillWanted(launch, stops))) this.#fail(again);
  }

  /** Whether nobody has stopped the server or chosen another model meanwhile. */
  async #isStillWanted(launch: Launch, stops: number): Promise<boolean> {
    const { chosen } = await readState(this.#options.folder);
    return this.#stops === stops && chosen !== undefined && isSameLaunch(launch, chosen);
  }

  #fail({ reason, lastWords }: ServerEnd): void {
    this.#tell({ kind: 'failed', message: reason.slice(0, 1_000), lastWords: lastWords.slice(-4_000) });
  }

  async #stopAsked(): Promise<void> {
    await this.#stopServer();
    await keepStopped(this.#options.folder, true);
    this.#tell({ kind: 'stopped', reason: 'asked' });
  }

  /** Another model was chosen: the one that is loading, or loaded, is not waited for. */
  async #endOther(): Promise<void> {
    const server = this.#server;
    const { chosen } = await readState(this.#options.folder);
    if (server && !(chosen && isSameLaunch(server.launch, chosen))) await server.process.stop();
  }

  /** Ends a server that is still loading: its turn would last until then. */
  #endNow(): void {
    this.#stops += 1;
    void this.#server?.process.stop();
  }

  async #stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.process.stop();
    if (server) await forgetServer(this.#options.folder, server.process.pid);
  }

  async #endWhenUnused(): Promise<void> {
    if (this.#status.kind !== 'ready' || this.#idleMs === 0 || !this.#server) return;
    // A server that does not tell is left running.
    if ((await this.#server.process.wasUsed()) !== false) this.#usedMs = performance.now();
    if (performance.now() - this.#usedMs < this.#idleMs) return;
    await this.#stopServer();
    this.#tell({ kind: 'stopped', reason: 'unused' });
  }

  #tell(status: LocalServerStatus): void {
    this.#status = status;
    for (const lease of this.#leases) send(lease, status);
  }
}

/** A start of the server. */
interface Asked {
  readonly port: number;
  /** `#stops` when it was to be started. */
  readonly stops: number;
  /** The last words of the server that this one replaces. Absent: it replaces none that crashed. */
  readonly crashed?: string | undefined;
}

function isSameLaunch(one: Launch, other: Launch): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function send(socket: Socket, status: LocalServerStatus): void {
  socket.write(`${JSON.stringify(status)}\n`);
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
