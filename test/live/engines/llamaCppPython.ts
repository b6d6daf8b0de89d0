import type { LlamaServerProgram } from '../install/installLlamaServer';
import { freePort } from './freePort';
import { ServerProcess } from './serverProcess';

export interface LlamaCppPythonOptions {
  /** The path of a GGUF file with a chat template. */
  readonly model: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  readonly port?: number | undefined;
  readonly args?: readonly string[] | undefined;
}

/** A real server of llama-cpp-python on a free port of loopback. */
export class LlamaCppPython extends ServerProcess {
  /** Resolves when the model is loaded. */
  static async start(installed: LlamaServerProgram, options: LlamaCppPythonOptions): Promise<LlamaCppPython> {
    const { model, contextWindow = 4_096, port = await freePort(), args: more = [] } = options;
    const args = [
      ...['--model', model, '--model_alias', 'tiny', '--host', '127.0.0.1', '--port', String(port)],
      ...['--n_ctx', String(contextWindow), '--n_threads', '2'],
      ...more,
    ];
    const server = new LlamaCppPython('llama-cpp-python', installed, { port, args });
    await server.ready('/v1/models', { withinMs: 180_000 });
    return server;
  }
}
