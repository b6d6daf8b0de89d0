import { spawn, type ChildProcess } from 'node:child_process';
import type { LlamaServerProgram } from '../install/installLlamaServer';

const POLL_MS = 50;

/** A program that serves on a port of loopback. */
export class ServerProcess implements AsyncDisposable {
  readonly port: number;
  readonly #name: string;
  readonly #child: ChildProcess;
  #log = '';

  constructor(
    name: string,
    { program, args: ownArgs, cwd, env }: LlamaServerProgram,
    { port, args }: { readonly port: number; readonly args: readonly string[] },
  ) {
    this.port = port;
    this.#name = name;
    const child = spawn(program, [...ownArgs, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#log = (this.#log + text).slice(-4_000)));
    }
    const killOnExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killOnExit);
    child.once('exit', () => process.off('exit', killOnExit));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  /** Resolves when the server answers at `path` without an error. */
  protected async ready(path: string, { withinMs }: { readonly withinMs: number }): Promise<void> {
    for (let waited = 0; waited < withinMs; waited += POLL_MS) {
      if (this.#child.exitCode !== null) throw new Error(`${this.#name} ended:\n${this.#log.slice(-1_500)}`);
      const isReady = await fetch(`${this.origin}${path}`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    await this.kill();
    throw new Error(`${this.#name} was not ready after ${withinMs / 1000} seconds.`);
  }
}
