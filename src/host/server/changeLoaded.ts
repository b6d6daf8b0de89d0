import type { KeyStore } from '../../agent/servers/keys';
import { loadModel, unloadModel, type LoadOutcome } from '../../agent/servers/model/loadModel';
import type { ServerConnection } from './serverConnection';

export interface LoadedChange {
  readonly server: Pick<ServerConnection, 'baseUrl' | 'serverAt' | 'refresh'>;
  readonly keys: KeyStore;
  readonly fetch: typeof fetch;
  readonly model: string;
  readonly isLoaded: boolean;
  readonly signal: AbortSignal;
}

/** Has the server in use load a model or take it out of memory, then looks at the server again. Never rejects. */
export async function changeLoaded(change: LoadedChange): Promise<LoadOutcome> {
  const { server, keys, fetch, model, isLoaded, signal } = change;
  const { baseUrl } = server;
  const found = baseUrl === undefined ? undefined : server.serverAt(baseUrl);
  if (!found) {
    return { ok: false, error: { code: 'connection', message: 'There is no connection to a model server.' } };
  }
  const task = { server: found, model, apiKey: await keys.get(found.baseUrl), fetch, signal };
  const outcome = await (isLoaded ? loadModel(task) : unloadModel(task));
  await server.refresh({ quiet: true });
  return outcome;
}
