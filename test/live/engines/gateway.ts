import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './freePort';

export interface GatewayStart {
  readonly program: string;
  /** The arguments, from the path of the configuration file and the port. */
  readonly args: (file: string, port: number) => readonly string[];
  readonly configuration: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The address that answers 200 when it is ready, such as `/health`. */
  readonly ready: string;
}

const pollMs = 200;
const readyMs = 240_000;

/** A real gateway on a free port of loopback. */
export class Gateway implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #log = '';

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.port = port;
    this.#folder = folder;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#log = (this.#log + text).slice(-8_000)));
    }
  }

  /** Resolves when it answers. */
  static async start({ program, args, configuration, env, ready }: GatewayStart): Promise<Gateway> {
    const folder = await mkdtemp(path.join(tmpdir(), 'open-agent-gateway-'));
    const file = path.join(folder, 'configuration.yaml');
    await writeFile(file, configuration);
    const port = await freePort();
    const child = spawn(program, [...args(file, port)], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gateway = new Gateway(child, port, folder);
    const killOnExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killOnExit);
    child.once('exit', () => process.off('exit', killOnExit));
    await gateway.#ready(ready);
    return gateway;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** The end of what it wrote. */
  get log(): string {
    return this.#log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #ready(address: string): Promise<void> {
    for (let waited = 0; waited < readyMs; waited += pollMs) {
      if (this.#child.exitCode !== null) throw new Error(`The gateway ended:\n${this.#log.slice(-1_500)}`);
      const isReady = await fetch(`${this.origin}${address}`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    await this[Symbol.asyncDispose]();
    throw new Error(`The gateway was not ready after ${readyMs / 60_000} minutes:\n${this.#log.slice(-1_500)}`);
  }
}
