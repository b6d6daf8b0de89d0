import { nodeLogStorage, type LogStorage } from '../sdk/session/logStorage';
import { SessionLog } from '../sdk/session/sessionLog';
import type { Disposable } from '../util/disposable';
import { Emitter } from '../util/emitter';
import { AgentSession, type AgentSessionParts } from './agentSession';
import type { FileClaims } from './fileClaims';
import { sessionExists, sessionPath, StoredSessions, type StoredSession } from './sessionFiles';
import type { SessionEvent } from './view/sessionEvents';

export interface SessionRegistryParts extends Pick<
  AgentSessionParts,
  'createClient' | 'approver' | 'workspace' | 'permissionMode' | 'onInternalError'
> {
  /** Absolute path of the folder of the session files. It comes into being with the first one. */
  readonly directory: string;
  /** One for the whole process: no file is opened twice, whatever the number of registries. */
  readonly claims: FileClaims;
  /** These default to the real ones. */
  readonly storage?: LogStorage | undefined;
  readonly now?: AgentSessionParts['now'] | undefined;
  readonly newId?: AgentSessionParts['newId'] | undefined;
  readonly setTimer?: AgentSessionParts['setTimer'] | undefined;
}

/** A session in a list. */
export interface SessionSummary extends StoredSession {
  readonly isRunning: boolean;
}

interface OpenSession {
  readonly session: AgentSession;
  readonly claim: Disposable;
}

/** The sessions of one folder: those on file, and the open ones, each of which is one object however often it is asked for. */
export class SessionRegistry {
  readonly #parts: SessionRegistryParts;
  readonly #stored: StoredSessions;
  readonly #open = new Map<string, Promise<OpenSession>>();
  readonly #sessions = new Map<string, AgentSession>();
  readonly #changes: Emitter<void>;
  #disposal: Promise<void> | undefined;

  constructor(parts: SessionRegistryParts) {
    this.#parts = parts;
    this.#stored = new StoredSessions(parts.directory);
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that `list` may have another answer now. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Newest first. Sessions without a message are not listed. */
  async list(): Promise<readonly SessionSummary[]> {
    const summaries = new Map<string, SessionSummary>();
    for (const stored of await this.#stored.list()) summaries.set(stored.id, { ...stored, isRunning: false });
    for (const [id, { view, updatedMs }] of this.#sessions) {
      if (updatedMs === undefined) continue;
      summaries.set(id, { id, title: view.title, updatedMs, isRunning: view.state !== 'idle' });
    }
    return [...summaries.values()].sort((a, b) => b.updatedMs - a.updatedMs || a.id.localeCompare(b.id));
  }

  /** A new session. Nothing of it is on file before its first prompt. */
  async create(): Promise<AgentSession> {
    return this.#load(this.#newId());
  }

  /** The session with this id, loaded where needed. Rejects when there is none, or when another registry has it. */
  async open(id: string): Promise<AgentSession> {
    const { directory } = this.#parts;
    if (!this.#open.has(id) && !(await sessionExists(directory, id))) {
      throw new Error(`There is no session ${id} in ${directory}. It may have been deleted.`);
    }
    return this.#load(id);
  }

  /** Applies changed settings: the next run of every open session begins with a new client. */
  reconfigure(): void {
    for (const session of this.#sessions.values()) session.reconfigure();
  }

  /** Ends all sessions as a closing window does. */
  dispose(): Promise<void> {
    this.#disposal ??= this.#end();
    return this.#disposal;
  }

  async #end(): Promise<void> {
    this.#changes.dispose();
    const opening = await Promise.allSettled(this.#open.values());
    const open = opening.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await Promise.all(
      open.map(async ({ session, claim }) => {
        await session.dispose();
        claim.dispose();
      }),
    );
    this.#open.clear();
    this.#sessions.clear();
  }

  async #load(id: string): Promise<AgentSession> {
    if (this.#disposal) throw new Error('The sessions are closed.');
    const opening = this.#open.get(id) ?? this.#read(id);
    this.#open.set(id, opening);
    try {
      return (await opening).session;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  async #read(id: string): Promise<OpenSession> {
    const { directory, claims, storage = nodeLogStorage, now = Date.now, setTimer = systemTimer } = this.#parts;
    const { createClient, approver, workspace, permissionMode, onInternalError } = this.#parts;
    const filePath = sessionPath(directory, id);
    const claim = claims.claim(filePath);
    if (!claim) throw new Error(`The session ${id} is open elsewhere in this process.`);
    const newId = (): string => this.#newId();
    try {
      const log = await SessionLog.open({ path: filePath, storage, now, newId, onListenerError: onInternalError });
      const session = new AgentSession({
        id,
        log,
        createClient,
        approver,
        workspace,
        permissionMode,
        now,
        newId,
        setTimer,
        onInternalError,
      });
      session.onEvent((event) => {
        if (changesList(event)) this.#changes.emit();
      });
      this.#sessions.set(id, session);
      return { session, claim };
    } catch (error) {
      claim.dispose();
      throw error;
    }
  }

  #newId(): string {
    return this.#parts.newId?.() ?? crypto.randomUUID();
  }
}

function changesList({ type }: SessionEvent): boolean {
  return type === 'titled' || type === 'state_changed' || type === 'prompt_added';
}

function systemTimer(run: () => void, delayMs: number): Disposable {
  const timer = setTimeout(run, delayMs);
  return { dispose: () => clearTimeout(timer) };
}
