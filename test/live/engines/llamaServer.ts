import { spawn, type ChildProcess } from 'node:child_process';
import type { LlamaServerProgram } from '../install/installLlamaServer';
import { freePort } from './freePort';

export interface LlamaServerOptions {
  /** The path of a GGUF file; of a folder of them: a router that holds one of its models at a time. */
  readonly model: string;
  readonly isRouter?: boolean | undefined;
  /** The path of a Jinja template; absent: the model's own. */
  readonly template?: string | undefined;
  /** In tokens, for all slots together. */
  readonly contextWindow?: number | undefined;
  readonly slots?: number | undefined;
  readonly port?: number | undefined;
  readonly args?: readonly string[] | undefined;
}

const pollMs = 50;
const readyMs = 120_000;

/** A real llama-server on a free port of loopback. */
export class LlamaServer implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;
  #log = '';

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#log = (this.#log + text).slice(-4_000)));
    }
  }

  /** Resolves when the model is loaded. */
  static async start(installed: LlamaServerProgram, options: LlamaServerOptions): Promise<LlamaServer> {
    const {
      model,
      template,
      contextWindow = 16_384,
      slots = 1,
      port = await freePort(),
      args = [],
      isRouter,
    } = options;
    const child = spawn(
      installed.program,
      [
        ...installed.args,
        ...(isRouter ? ['--models-dir', model, '--models-max', '1'] : ['--model', model]),
        ...['--port', String(port), '--ctx-size', String(contextWindow)],
        ...['--parallel', String(slots), '--threads', '2', '--no-warmup', '--no-webui', '--jinja'],
        ...(template === undefined ? [] : ['--chat-template-file', template]),
        ...args,
      ],
      { cwd: installed.cwd, env: { ...process.env, ...installed.env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const server = new LlamaServer(child, port);
    const killOnExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killOnExit);
    child.once('exit', () => process.off('exit', killOnExit));
    await server.#ready();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** Sends JSON to an address of the server and returns its JSON. */
  async post(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${this.origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
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

  async #ready(): Promise<void> {
    for (let waited = 0; waited < readyMs; waited += pollMs) {
      if (this.#child.exitCode !== null) throw new Error(`llama-server ended:\n${this.#log.slice(-1_500)}`);
      const isReady = await fetch(`${this.origin}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    await this.kill();
    throw new Error('llama-server was not ready after two minutes.');
  }
}
