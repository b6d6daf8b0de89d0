import { findLlamaServer, installLlamaServer, type LlamaServerProgram } from './installLlamaServer';
import { findModels, installModels, type Models } from './installModels';
import type { Installed } from './installed';

export interface LiveParts {
  readonly server: LlamaServerProgram;
  readonly models: Models;
}

/** llama-server and its models. Sets them up, unless `OPEN_AGENT_LIVE_INSTALL` is 0: then only what is there counts. */
export async function liveParts(): Promise<Installed<LiveParts>> {
  const mayInstall = process.env['OPEN_AGENT_LIVE_INSTALL'] !== '0';
  const say = (text: string): void => console.log(`      ${text}`);
  const server = mayInstall ? await installLlamaServer(say) : await findLlamaServer();
  if (!server.ok) return server;
  const models = mayInstall ? await installModels(say) : findModels();
  return models.ok ? { ok: true, server, models } : models;
}
