import type { ListedSession } from '../../agent/session/sessionList';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { FoundPiece } from '../../agent/sessionFiles/search/foundPiece';
import type { PanelState, SessionSummary } from '../../protocol/toWebview';
import { messageOf } from '../../util/errors';

/** Enough to look through; the search finds the others. */
const MAX_SHOWN = 100;

/** The panel's list of sessions: the newest that match the search. */
export class SessionListing {
  readonly #registry: Pick<SessionRegistry, 'list' | 'foundPiece'>;
  readonly #onChange: () => void;
  #query = '';
  #shown: readonly SessionSummary[] = [];
  #count = 0;
  #reading: Promise<void> | undefined;
  /** Of the sessions on screen, by id, for `shownQuery`. */
  readonly #pieces = new Map<string, { readonly updatedMs: number; readonly piece: FoundPiece | undefined }>();
  #shownQuery = '';
  #failure: string | undefined;
  #isOutdated = false;

  constructor(parts: {
    readonly registry: Pick<SessionRegistry, 'list' | 'foundPiece'>;
    readonly onChange: () => void;
  }) {
    this.#registry = parts.registry;
    this.#onChange = parts.onChange;
  }

  get state(): Pick<PanelState, 'sessions' | 'sessionCount' | 'sessionQuery' | 'sessionFailure'> {
    const [sessions, sessionCount, sessionFailure] = [this.#shown, this.#count, this.#failure];
    return { sessions, sessionCount, sessionQuery: this.#shownQuery, ...(sessionFailure && { sessionFailure }) };
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
      const query = this.#query;
      this.#failure = undefined;
      const found = await this.#registry.list(query).catch((error: unknown) => {
        this.#failure = messageOf(error);
        return [];
      });
      this.#count = found.length;
      const listed = found.slice(0, MAX_SHOWN);
      if (query !== this.#shownQuery) this.#pieces.clear();
      this.#shownQuery = query;
      this.#show(listed);
      if (query === '') continue;
      // The sessions are shown first: reading their files can take a while.
      this.#onChange();
      await this.#findPieces(listed, query);
      this.#show(listed);
    }
    this.#onChange();
  }

  /** Stops when the list has to be read again. */
  async #findPieces(listed: readonly ListedSession[], query: string): Promise<void> {
    for (const session of listed) {
      if (this.#isOutdated) return;
      const { id, updatedMs } = session;
      if (this.#pieces.get(id)?.updatedMs === updatedMs) continue;
      this.#pieces.set(id, { updatedMs, piece: await this.#registry.foundPiece(session, query) });
    }
  }

  #show(listed: readonly ListedSession[]): void {
    this.#shown = listed.map(({ id, title, updatedMs, status, isRunning, isWaiting, isForeign, isServed }) => {
      const piece = this.#pieces.get(id)?.piece;
      return {
        id,
        title,
        updatedMs,
        isRunning,
        isForeign,
        hasFailed: status === 'ERROR',
        ...(isServed && { isServed }),
        ...(isWaiting && { isWaiting }),
        ...(piece && { piece }),
      };
    });
  }
}
