import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SessionSummary } from '../../protocol/toWebview';

/** Enough to look through; the search finds the others. */
const MAX_SHOWN = 100;

/** The panel's list of sessions: the newest that match the search. */
export class SessionListing {
  readonly #registry: Pick<SessionRegistry, 'list'>;
  readonly #onChange: () => void;
  #query = '';
  #shown: readonly SessionSummary[] = [];
  #count = 0;
  #reading: Promise<void> | undefined;
  #isOutdated = false;

  constructor(parts: { readonly registry: Pick<SessionRegistry, 'list'>; readonly onChange: () => void }) {
    this.#registry = parts.registry;
    this.#onChange = parts.onChange;
  }

  get state(): { sessions: readonly SessionSummary[]; sessionCount: number; sessionQuery: string } {
    return { sessions: this.#shown, sessionCount: this.#count, sessionQuery: this.#query };
  }

  search(query: string): Promise<void> {
    this.#query = query;
    return this.refresh();
  }

  /** Reads the list again. Calls during a read share one more read. */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false;
      const found = await this.#registry.list(this.#query);
      this.#count = found.length;
      this.#shown = found
        .slice(0, MAX_SHOWN)
        .map(({ id, title, updatedMs, status, isRunning, isWaiting, isForeign, isServed }) => ({
          id,
          title,
          updatedMs,
          isRunning,
          isForeign,
          hasFailed: status === 'ERROR',
          ...(isServed && { isServed }),
          ...(isWaiting && { isWaiting }),
        }));
    }
    this.#onChange();
  }
}
