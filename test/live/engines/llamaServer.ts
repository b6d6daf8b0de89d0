import type { LlamaServerProgram } from '../install/installLlamaServer';
import { freePort } from './freePort';
import { ServerProcess } from './serverProcess';

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

/** A real llama-server on a free port of loopback. */
export class LlamaServer extends ServerProcess {
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
    const server = new LlamaServer('llama-server', installed, {
      port,
      args: [
        ...(isRouter ? ['--models-dir', model, '--models-max', '1'] : ['--model', model]),
        ...['--port', String(port), '--ctx-size', String(contextWindow)],
        ...['--parallel', String(slots), '--threads', '2', '--no-warmup', '--no-webui', '--jinja'],
        ...(template === undefined ? [] : ['--chat-template-file', template]),
        ...args,
      ],
    });
    await server.ready('/health', { withinMs: 120_000 });
    return server;
  }

  /** Sends JSON to an address of the server and returns its JSON. */
  async post(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${this.origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  }
}
