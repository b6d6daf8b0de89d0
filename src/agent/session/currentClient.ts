import type { Client } from '../../sdk/client';
import type { Message } from '../../sdk/messages';
import type { SessionClient } from '../configuration/sessionClient';
import type { WorseRound } from '../runSummary/roundHistory';

/**
 * `settings`: the person changed them · `failure`: the client's history may differ from the file · `prompt`: the client
 * was for one prompt.
 */
export type OutdatedReason = 'settings' | 'failure' | 'prompt';

export interface CurrentClientParts {
  readonly create: (history: readonly Message[], isForPrompt: boolean) => Promise<SessionClient>;
  /** The history for a new client, from the file. */
  readonly history: () => Promise<readonly Message[]>;
  readonly onNewClient: (made: SessionClient, reason: OutdatedReason | undefined) => void;
  /** Gets the error of a client that cannot be closed. */
  readonly onInternalError: (error: unknown) => void;
}

/** The one client of a session: made on demand, and again after it is outdated. */
export class CurrentClient {
  readonly #parts: CurrentClientParts;
  #made: SessionClient | undefined;
  #outdated: OutdatedReason | undefined;

  constructor(parts: CurrentClientParts) {
    this.#parts = parts;
  }

  get current(): Client | undefined {
    return this.#made?.client;
  }

  /** See `SessionClient`. */
  async findWorseRound(): Promise<WorseRound | undefined> {
    return this.#made?.findWorseRound?.();
  }

  /** The next run gets a new client. Does not touch the current run. */
  outdate(reason: OutdatedReason): void {
    if (this.#outdated !== 'settings') this.#outdated = reason;
  }

  /**
   * The client for the next run, with a new prompt or without. `undefined`: `signal` was aborted before there was one.
   * Rejects when none can be made.
   */
  async obtain(signal: AbortSignal, isForPrompt: boolean): Promise<Client | undefined> {
    if (isForPrompt && this.#made?.isForOnePrompt && !this.#outdated) this.#outdated = 'prompt';
    const reason = this.#outdated;
    if (this.#made && reason === undefined) return this.#made.client;
    await this.close();
    this.#outdated = undefined;
    const creation = this.#parts.history().then((history) => this.#parts.create(history, isForPrompt));
    try {
      const made = await unlessAborted(creation, signal);
      if (made) this.#parts.onNewClient(made, reason);
      else creation.then(({ client }) => client.close()).catch(this.#parts.onInternalError);
      this.#made = made;
    } finally {
      if (!this.#made) this.#outdated ??= reason;
    }
    return this.#made?.client;
  }

  /** Closes and forgets the client. Never rejects. */
  async close(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    try {
      await made?.client.close();
    } catch (error) {
      this.#parts.onInternalError(error);
    }
  }
}

/** The value of `promise`, or `undefined` as soon as `signal` is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let onAbort = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
