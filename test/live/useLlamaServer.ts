import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { LlamaServer, type LlamaServerOptions } from './engines/llamaServer';
import { routerProgram } from './install/installLlamaServer';
import { liveParts, type LiveParts } from './install/liveParts';

const installMinutes = 12;

export interface LiveLlamaServer {
  /** Starts one with a template of llama.cpp, by its name. It ends with the test. */
  start(template: string, options?: Partial<LlamaServerOptions>): Promise<LlamaServer>;
  /** Starts a router of models with these names, in an empty folder. It ends with the test. */
  startRouter(names: readonly string[], folder: string): Promise<LlamaServer>;
  /** The names of all templates. */
  templates(): Promise<readonly string[]>;
}

/** A real llama-server for the tests of a suite. They are skipped, with the reason, where it cannot be had. */
export function useLlamaServer(): LiveLlamaServer {
  let parts: LiveParts | undefined;
  const running: LlamaServer[] = [];
  before(async function () {
    this.timeout(installMinutes * 60_000);
    const found = await liveParts();
    if (found.ok) parts = found;
    else {
      console.log(`      Skipped: ${found.reason}`);
      this.skip();
    }
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.kill()));
  });
  const installed = (): LiveParts => {
    if (parts === undefined) throw new Error('llama-server is not there.');
    return parts;
  };
  return {
    async start(template, options) {
      const { server, models } = installed();
      const file = path.join(models.templates, `${template}.jinja`);
      if (!existsSync(file)) throw new Error(`llama.cpp has no template ${template}.`);
      const started = await LlamaServer.start(server, { model: models.tiny, template: file, ...options });
      running.push(started);
      return started;
    },
    async startRouter(names, folder) {
      const { server, models } = installed();
      const own = path.join(folder, 'models');
      await mkdir(own);
      for (const name of names) await symlink(models.tiny, path.join(own, `${name}.gguf`));
      const template = path.join(models.templates, 'Qwen-Qwen3-0.6B.jinja');
      const options = { model: own, isRouter: true, template, contextWindow: 4_096 };
      const started = await LlamaServer.start(await routerProgram(server, folder), options);
      running.push(started);
      return started;
    },
    async templates() {
      const names = await readdir(installed().models.templates);
      return names.filter((name) => name.endsWith('.jinja')).map((name) => path.basename(name, '.jinja'));
    },
  };
}
