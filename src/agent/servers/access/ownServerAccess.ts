import type { AgentErrorInfo } from '../../../sdk/errors';

/**
 * The way to the model server that Open Agent runs on this machine. It may be stopped at any time, and comes back with another key,
 * perhaps at another address. Clients keep the key and the address that they got first.
 */
export interface OwnServerAccess {
  /** Its key, if it answers at this origin now. */
  readonly keyAt: (origin: string) => string | undefined;
  /** Whether a client with this key belongs to it. */
  readonly isFor: (apiKey: string | undefined) => boolean;
  /** A `fetch` that sends the requests of its clients to its present address, with its present key. Starts nothing. */
  readonly through: (direct: typeof fetch) => typeof fetch;
  /** A request needs no wait. */
  readonly isReady: () => boolean;
  /**
   * Has it started, and waits until it is ready. Requests with the same `run` belong together. `undefined`: it is ready;
   * otherwise why not. When the person has stopped it during the run, it stays stopped. Never rejects.
   */
  readonly start: (run: AbortSignal) => Promise<AgentErrorInfo | undefined>;
}
