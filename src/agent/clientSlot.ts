import type { Client } from '../sdk/client';
import type { Message } from '../sdk/messages';

/** `settings`: the person changed them · `failure`: what the client holds may differ from what is on file. */
export type OutdatedReason = 'settings' | 'failure';

export interface ClientSlotParts {
  readonly create: (history: readonly Message[]) => Promise<Client>;
  /** What a new client goes on from: all that is on file. */
  readonly history: () => readonly Message[];
  readonly onNewClient: (client: Client, reason: OutdatedReason | undefined) => void;
  /** Gets the error of a client that cannot be closed. */
  readonly onInternalError: (error: unknown) => void;
}

/** The one client of a session: made when it is needed, and made anew when it is outdated. */
export class ClientSlot {
  readonly #parts: ClientSlotParts;
  #client: Client | undefined;
  #outdated: OutdatedReason | undefined;

  constructor(parts: ClientSlotParts) {
    this.#parts = parts;
  }

  get current(): Client | undefined {
    return this.#client;
  }

  /** The next run gets a new client. A run that is going is not touched. */
  outdate(reason: OutdatedReason): void {
    if (this.#outdated !== 'settings') this.#outdated = reason;
  }

  /** The client to run with; `undefined` when `signal` is aborted before there is one. Rejects when none can be made. */
  async obtain(signal: AbortSignal): Promise<Client | undefined> {
    const reason = this.#outdated;
    if (this.#client && reason === undefined) return this.#client;
    await this.close();
    this.#outdated = undefined;
    const creation = this.#parts.create(this.#parts.history());
    try {
      const client = await unlessAborted(creation, signal);
      if (client) this.#parts.onNewClient(client, reason);
      else creation.then((late) => late.close()).catch(this.#parts.onInternalError);
      this.#client = client;
    } finally {
      if (!this.#client) this.#outdated ??= reason;
    }
    return this.#client;
  }

  /** Ends and forgets the client. Never rejects. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.close();
    } catch (error) {
      this.#parts.onInternalError(error);
    }
  }
}

/** What `promise` gives, or `undefined` as soon as `signal` is aborted. */
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
