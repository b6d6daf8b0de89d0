import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { SessionSummary } from '../../protocol/messages';

/** As many as one looks through; the search finds the others. */
const MAX_SHOWN = 100;

/** The list of sessions as the panel shows it: the newest of those that a search finds. */
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

  /** Reads the list anew; what asks while it is being read is served by one more reading. */
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
        .map(({ id, title, updatedMs, status, isRunning, isForeign, isServed }) => ({
          id,
          title,
          updatedMs,
          isRunning,
          isForeign,
          hasFailed: status === 'ERROR',
          ...(isServed && { isServed }),
        }));
    }
    this.#onChange();
  }
}
