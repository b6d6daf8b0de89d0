import type { AgentSession } from './agentSession';
import { newestTexts, promptsOf } from '../sessionFiles/earlierPrompts';
import { foundPiece, type FoundPiece } from '../sessionFiles/search/foundPiece';
import { holdsAll, SpokenWords, wordsOf } from '../sessionFiles/search/spokenWords';
import type { StoredSession, StoredSessions } from '../sessionFiles/storedSessions';
import { sketchOf } from '../sessionFiles/summarise';

/** A session in the list of sessions. */
export interface ListedSession extends StoredSession {
  readonly isRunning: boolean;
  /** Its run waits for an answer of the person. */
  readonly isWaiting?: boolean | undefined;
  /** A session of the command line: read-only, can be forked. */
  readonly isForeign: boolean;
}

export interface SessionListParts {
  readonly stored: StoredSessions;
  /** Sessions of the command line; listed if they belong to the open workspace. */
  readonly foreign: StoredSessions | undefined;
  /** Whether a session of this workspace, a URI, belongs to the open workspace. */
  readonly belongs: (workspace: string | null) => boolean;
  /** Open sessions by id. */
  readonly open: ReadonlyMap<string, AgentSession>;
}

/** The newest sessions count: reading all files would take long in an old workspace. */
const MAX_PROMPT_SESSIONS = 200;

/** Lists the sessions on file and the open ones, whose state is newer than their files. */
export class SessionList {
  readonly #parts: SessionListParts;
  readonly #spoken = new WeakMap<AgentSession, SpokenWords>();

  constructor(parts: SessionListParts) {
    this.#parts = parts;
  }

  /** Newest first, without empty sessions. Each word of the query must be in the title or in a message. */
  async read(query: string): Promise<readonly ListedSession[]> {
    const { stored, foreign, belongs, open } = this.#parts;
    const words = wordsOf(query);
    // A session that closes meanwhile is listed from memory, because its file was skipped.
    const before = new Map(open);
    // A read-only session is listed from its file, which another window writes.
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
      const isWaiting = view.state === 'waiting_for_approval';
      const isRunning = view.state !== 'idle';
      summaries.set(id, { ...sketch, id, updatedMs, isRunning, isForeign: false, ...(isWaiting && { isWaiting }) });
    }
    return [...summaries.values()].sort((a, b) => b.updatedMs - a.updatedMs || a.id.localeCompare(b.id));
  }

  /** Where a session holds the query. `undefined`: its title holds all of it, or no message holds a part. */
  async foundPiece({ id, title, isForeign }: ListedSession, query: string): Promise<FoundPiece | undefined> {
    const { stored, foreign, open } = this.#parts;
    const words = wordsOf(query);
    if (holdsAll(words, wordsOf(title))) return undefined;
    const session = open.get(id);
    if (session && !session.view.readOnly) return foundPiece(session.entries, words);
    return (isForeign ? foreign : stored)?.foundPiece(id, words);
  }

  /** The texts that the person sent in these sessions, newest first, each once. */
  async prompts(): Promise<readonly string[]> {
    const { stored, foreign, open } = this.#parts;
    const listed = (await this.read('')).filter(({ isServed }) => !isServed).slice(0, MAX_PROMPT_SESSIONS);
    const written = listed.flatMap(({ id }) => {
      const session = open.get(id);
      return session && !session.view.readOnly ? [session] : [];
    });
    const here = new Set(written.map(({ id }) => id));
    const onFile = listed.filter(({ id }) => !here.has(id));
    const idsOf = (isWanted: boolean) => onFile.flatMap(({ id, isForeign }) => (isForeign === isWanted ? [id] : []));
    const [own, others = []] = await Promise.all([stored.prompts(idsOf(false)), foreign?.prompts(idsOf(true))]);
    return newestTexts([...own, ...others, ...written.flatMap(({ entries }) => promptsOf(entries))]);
  }

  #spokenIn(session: AgentSession): string {
    const spoken = this.#spoken.get(session) ?? new SpokenWords();
    this.#spoken.set(session, spoken);
    return spoken.follow(session.entries).text;
  }
}
