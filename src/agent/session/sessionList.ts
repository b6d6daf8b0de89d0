import type { AgentSession } from './agentSession';
import { holdsAll, SpokenWords, wordsOf } from '../sessionFiles/spokenWords';
import type { StoredSession, StoredSessions } from '../sessionFiles/storedSessions';
import { sketchOf } from '../sessionFiles/summarise';

/** A session in a list. */
export interface ListedSession extends StoredSession {
  readonly isRunning: boolean;
  /** Of the command line: to be looked at and forked. */
  readonly isForeign: boolean;
}

export interface SessionListParts {
  readonly stored: StoredSessions;
  /** Those of the command line; the ones that belong to what is open here are listed. */
  readonly foreign: StoredSessions | undefined;
  /** Whether a session of this workspace, a URI, belongs to what is open here. */
  readonly belongs: (workspace: string | null) => boolean;
  /** Those that are open, by their ids. */
  readonly open: ReadonlyMap<string, AgentSession>;
}

/** The sessions on file and those that are open, which know better than their files, as one list. */
export class SessionList {
  readonly #parts: SessionListParts;
  readonly #spoken = new WeakMap<AgentSession, SpokenWords>();

  constructor(parts: SessionListParts) {
    this.#parts = parts;
  }

  /** Newest first. Sessions without a message are left out. Each word has to be in the title or in what was said. */
  async read(query: string): Promise<readonly ListedSession[]> {
    const { stored, foreign, belongs, open } = this.#parts;
    const words = wordsOf(query);
    // One that is closed while the files are looked at is in the list by what it was: its file was passed over then.
    const before = new Map(open);
    // What another window writes is known from its file.
    const isWritten = (id: string): boolean => before.has(id) && before.get(id)?.view.readOnly === undefined;
    const [own, others = []] = await Promise.all([stored.list(words, isWritten), foreign?.list(words)]);
    const summaries = new Map<string, ListedSession>();
    for (const session of others) {
      if (belongs(session.workspace)) summaries.set(session.id, { ...session, isRunning: false, isForeign: true });
    }
    for (const session of own) summaries.set(session.id, { ...session, isRunning: false, isForeign: false });
    for (const [id, session] of new Map([...before, ...open])) {
      const { view, updatedMs, entries } = session;
      if (updatedMs === undefined || view.readOnly) continue;
      if (!holdsAll(words, [...wordsOf(view.title), this.#spokenIn(session)])) continue;
      const sketch = { ...sketchOf(entries), title: view.title };
      summaries.set(id, { ...sketch, id, updatedMs, isRunning: view.state !== 'idle', isForeign: false });
    }
    return [...summaries.values()].sort((a, b) => b.updatedMs - a.updatedMs || a.id.localeCompare(b.id));
  }

  #spokenIn(session: AgentSession): string {
    const spoken = this.#spoken.get(session) ?? new SpokenWords();
    this.#spoken.set(session, spoken);
    return spoken.follow(session.entries).text;
  }
}
