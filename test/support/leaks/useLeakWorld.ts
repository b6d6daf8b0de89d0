import { ModelServer } from '../servers/modelServer';
import { installedRipgrep } from './installedRipgrep';
import { buildWorld, type LeakWorld, type WorldOptions } from './world';

export interface LeakPlace {
  readonly world: LeakWorld;
  readonly server: ModelServer;
}

/**
 * A server of an unknown kind. One that tells its kind and its window is asked in a better form as soon as it has answered: on a busy
 * machine that is the first request or a later one, and two runs would differ.
 */
async function startQuietServer(): Promise<ModelServer> {
  const server = await ModelServer.start();
  for (const path of ['/v1/models', '/props']) server.setRoute(path, { status: 404, body: {} });
  return server;
}

/** A world and a model server for the tests of the surrounding `describe`. */
export function useLeakWorld(seed: number, options: Omit<WorldOptions, 'seed' | 'programs'> = {}): LeakPlace {
  let place: { readonly world: LeakWorld; readonly server: ModelServer };
  before(async () => {
    const rg = installedRipgrep();
    const world = await buildWorld({ ...options, seed, programs: { ...(rg !== undefined && { rg }) } });
    place = { world, server: await startQuietServer() };
  });
  after(async () => {
    await place.server.dispose();
    await place.world[Symbol.asyncDispose]();
  });
  return {
    get world() {
      return place.world;
    },
    get server() {
      return place.server;
    },
  };
}
