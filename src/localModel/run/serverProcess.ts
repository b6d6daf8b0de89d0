import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delay } from '../../util/async/delay';
import { folderToRunIn } from '../machine/runProgram';
import { serverArguments, serverEnvironment, type Launch } from './launch';

/** How a server process ended. */
export interface ServerEnd {
  readonly reason: string;
  /** The end of what it printed. */
  readonly lastWords: string;
}

const POLL_MS = 250;
/** A model of 60 GB on a slow disk takes minutes. */
const LOAD_LIMIT_MS = 30 * 60_000;
const END_MS = 5_000;
const MAX_WORDS = 2_000;

/** One llama-server of ours, from its start to its end. */
export class ServerProcess {
  readonly baseUrl: string;
  readonly key: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcess;
  readonly #launch: Launch;
  readonly #origin: string;
  #words = '';
  #isOver = false;
  #lastSlots = '';

  private constructor(launch: Launch, port: number) {
    this.#launch = launch;
    this.#origin = `http://127.0.0.1:${port}`;
    this.baseUrl = `${this.#origin}/v1`;
    this.key = randomBytes(32).toString('base64url');
    this.#child = spawn(launch.program, [...serverArguments(launch, port)], {
      env: serverEnvironment(process.env, this.key),
      cwd: folderToRunIn(launch.program),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#words = (this.#words + text).slice(-MAX_WORDS);
      });
    }
    this.ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#isOver = true;
        resolve({ reason, lastWords: this.#words.trim() });
      };
      this.#child.once('error', (error) => end(`The program cannot be started: ${error.message}`));
      // After `exit`, output may still come.
      this.#child.once('close', (code, signal) =>
        end(`The model server ended ${signal === null ? `with code ${code ?? 0}` : `by ${signal}`}.`),
      );
    });
  }

  /** Starts it on the wanted port, or on another one when that is taken. */
  static async start(launch: Launch, wantedPort: number): Promise<ServerProcess> {
    return new ServerProcess(launch, await freePort(wantedPort));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves with true when the model is loaded, with false when the process ended before. */
  async untilReady(onProgress: (percent: number | undefined) => void): Promise<boolean> {
    const end = performance.now() + LOAD_LIMIT_MS;
    while (!this.#isOver && performance.now() < end) {
      const status = await this.#get('/health');
      if (status?.ok) return true;
      if (status) onProgress(await this.#loadedPercent());
      await delay(POLL_MS);
    }
    if (!this.#isOver) await this.stop();
    return false;
  }

  /** Whether a request was handled since the last call. `undefined`: the server does not tell. */
  async wasUsed(): Promise<boolean | undefined> {
    const answer = await this.#get('/slots');
    if (!answer?.ok) return undefined;
    const slots = await answer.text();
    const was = this.#lastSlots;
    this.#lastSlots = slots;
    return slots !== was || slots.includes('"is_processing":true');
  }

  /** Ends the process: TERM, and KILL after five seconds. */
  async stop(): Promise<void> {
    if (this.#isOver) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends the process at once. */
  kill(): void {
    if (!this.#isOver) this.#child.kill('SIGKILL');
  }

  async #get(path: string): Promise<Response | undefined> {
    try {
      const headers = { authorization: `Bearer ${this.key}` };
      return await fetch(`${this.#origin}${path}`, { headers, signal: AbortSignal.timeout(2_000) });
    } catch {
      // It does not listen yet, or is busy.
      return undefined;
    }
  }

  /** The share of the file that is in memory. Linux alone tells. */
  async #loadedPercent(): Promise<number | undefined> {
    const text = await readFile(`/proc/${this.pid}/statm`, 'utf8').catch(() => '');
    const pages = Number(text.split(' ')[1]);
    if (!Number.isFinite(pages) || pages <= 0 || this.#launch.modelBytes <= 0) return undefined;
    return Math.min(99, Math.floor((pages * 4_096 * 100) / this.#launch.modelBytes));
  }
}

/** The port, if it is free, or any free one. 0: any. */
async function freePort(wanted: number): Promise<number> {
  const tryPort = (port: number): Promise<number | undefined> =>
    new Promise((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(undefined));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
      });
    });
  const port = (await tryPort(wanted)) ?? (await tryPort(0));
  if (port === undefined) throw new Error('No port of this machine is free.');
  return port;
}
