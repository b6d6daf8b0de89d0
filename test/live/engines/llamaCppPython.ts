import { spawn, type ChildProcess } from 'node:child_process';
import type { LlamaServerProgram } from '../install/installLlamaServer';
import { freePort } from './freePort';

export interface LlamaCppPythonOptions {
  /** The path of a GGUF file with a chat template. */
  readonly model: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly port?: number | undefined;
}

const pollMs = 100;
const readyMs = 180_000;

/** A real server of llama-cpp-python on a free port of loopback. */
export class LlamaCppPython implements AsyncDisposable {
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
  static async start(installed: LlamaServerProgram, options: LlamaCppPythonOptions): Promise<LlamaCppPython> {
    const { model, contextWindow = 4_096, port = await freePort() } = options;
    const child = spawn(
      installed.program,
      [
        ...installed.args,
        ...['--model', model, '--model_alias', 'tiny', '--host', '127.0.0.1', '--port', String(port)],
        ...['--n_ctx', String(contextWindow), '--n_threads', '2'],
      ],
      { env: { ...process.env, ...installed.env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const server = new LlamaCppPython(child, port);
    const killOnExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killOnExit);
    child.once('exit', () => process.off('exit', killOnExit));
    await server.#ready();
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
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
      if (this.#child.exitCode !== null) throw new Error(`llama-cpp-python ended:\n${this.#log.slice(-1_500)}`);
      const isReady = await fetch(`${this.baseUrl}/models`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    await this.kill();
    throw new Error('llama-cpp-python was not ready after three minutes.');
  }
}
