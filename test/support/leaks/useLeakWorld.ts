import { ModelServer } from '../servers/modelServer';
import { installedRipgrep } from './installedRipgrep';
import { buildWorld, type LeakWorld, type WorldOptions } from './world';

export interface LeakPlace {
  readonly world: LeakWorld;
  readonly server: ModelServer;
}

/** A world and a model server for the tests of the surrounding `describe`. */
export function useLeakWorld(seed: number, options: Omit<WorldOptions, 'seed' | 'programs'> = {}): LeakPlace {
  let place: { readonly world: LeakWorld; readonly server: ModelServer };
  before(async () => {
    const rg = installedRipgrep();
    const world = await buildWorld({ ...options, seed, programs: { ...(rg !== undefined && { rg }) } });
    place = { world, server: await ModelServer.start() };
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
