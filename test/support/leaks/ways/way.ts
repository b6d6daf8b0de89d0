import type { ModelServer } from '../../servers/modelServer';
import type { LeakCase, Observation } from '../leakCase';
import type { LeakWorld } from '../world';

export interface WayParts {
  readonly world: LeakWorld;
  readonly server: ModelServer;
}

/** Runs a case from its prompt to the end of the agent. The server has its script already. */
export type RunWay = (given: LeakCase, parts: WayParts) => Promise<Omit<Observation, 'sent'>>;

export const PROMPT_TEXT = 'Please look around.';
