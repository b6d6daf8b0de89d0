import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ImagePart, Message } from '../../sdk/messages';
import { imagesOfContent } from '../../sdk/images/imagePart';
import { createImageFolder } from '../../sdk/session/images/imageFolder';
import { createImageStore, storedImagesIn, type ImageStore } from '../../sdk/session/images/imageStore';
import { createLogStorage } from '../../sdk/session/createLogStorage';
import type { LogStorage } from '../../sdk/session/logStorage';
import type { SessionEntry } from '../../sdk/session/entries';
import { loadEntries } from '../../sdk/session/sessionLog';
import { Emitter } from '../../util/emitter';
import type { AgentSession, AgentSessionParts } from './agentSession';
import type { FileClaims } from './fileClaims';
import { SessionList, type ListedSession } from './sessionList';
import { exportAsJsonLines, exportAsMarkdown } from '../sessionFiles/exportSession';
import { forkSession, type Fork } from '../sessionFiles/forkSession';
import type { FoundPiece } from '../sessionFiles/search/foundPiece';
import { importSession } from '../sessionFiles/importSession';
import { loadSession, type LoadedSession, type SessionPlace } from './loadSession';
import { nodeProcesses, type Processes } from '../../workspace/node/processes/processIdentity';
import { nodeDisk, sessionPath, writeWhole, type DiskCalls } from '../sessionFiles/sessionDisk';
import { sessionOfMessages } from '../sessionFiles/sessionOfMessages';
import { removeUnusedImages } from '../sessionFiles/orphanedImages';
import { SessionTrash, type DeletedSession } from '../sessionFiles/sessionTrash';
import { StoredSessions } from '../sessionFiles/storedSessions';
import type { SessionEvent } from '../view/sessionEvents';
import { systemTimer } from '../../util/timer';
import * as l10n from '../../util/l10n';

export interface SessionRegistryParts extends Pick<
  AgentSessionParts,
  | 'createClient'
  | 'approver'
  | 'workspace'
  | 'permissionMode'
  | 'projectRules'
  | 'isUnseen'
  | 'findCheck'
  | 'onInternalError'
> {
  /** Absolute path of the folder of the session files. It is made with the first file. */
  readonly directory: string;
  /** One for the whole process: no file is opened twice, even with several registries. */
  readonly claims: FileClaims;
  /** Sessions of the command line, which are listed too and never written. */
  readonly commandLine?: CommandLineSessions | undefined;
  /** Gets the path of each session file that is not listed because it is a link, once. */
  readonly onLink?: ((filePath: string) => void) | undefined;
  /** These default to the real ones. */
  readonly storage?: LogStorage | undefined;
  readonly disk?: DiskCalls | undefined;
  readonly processes?: Processes | undefined;
  readonly now?: AgentSessionParts['now'] | undefined;
  readonly newId?: AgentSessionParts['newId'] | undefined;
  readonly setTimer?: AgentSessionParts['setTimer'] | undefined;
}

export interface CommandLineSessions {
  readonly directory: string;
  /** Whether a session of this workspace, a URI, belongs to the open workspace. */
  readonly belongs: (workspace: string | null) => boolean;
}

type SessionAt = Omit<SessionPlace, 'path'> & { readonly directory: string };

export type ExportFormat = 'markdown' | 'jsonl';

/** The sessions of one folder, on file and open. An open session is one object, however often it is requested. */
export class SessionRegistry {
  readonly #parts: SessionRegistryParts;
  readonly #disk: DiskCalls;
  readonly #storage: LogStorage;
  readonly #now: () => number;
  readonly #stored: StoredSessions;
  readonly #foreign: StoredSessions | undefined;
  readonly #trash: SessionTrash;
  readonly #open = new Map<string, Promise<LoadedSession>>();
  readonly #closing = new Map<string, Promise<Error | undefined>>();
  readonly #sessions = new Map<string, AgentSession>();
  readonly #list: SessionList;
  readonly #changes: Emitter<void>;
  readonly #events: Emitter<{ readonly session: AgentSession; readonly event: SessionEvent }>;
  #purge: Promise<void> | undefined;
  #disposal: Promise<Error | undefined> | undefined;

  constructor(parts: SessionRegistryParts) {
    const { directory, commandLine, disk = nodeDisk, now = Date.now, onInternalError, onLink } = parts;
    this.#parts = parts;
    this.#disk = disk;
    this.#storage = parts.storage ?? createLogStorage(disk);
    this.#now = now;
    const store = (place: string): StoredSessions =>
      new StoredSessions({ directory: place, disk, now, newToken: () => this.#newId(), onInternalError, onLink });
    this.#stored = store(directory);
    this.#foreign = commandLine && store(commandLine.directory);
    this.#list = new SessionList({
      stored: this.#stored,
      foreign: this.#foreign,
      belongs: (workspace) => commandLine?.belongs(workspace) ?? false,
      open: this.#sessions,
    });
    this.#trash = new SessionTrash({ directory, disk });
    this.#changes = new Emitter(onInternalError);
    this.#events = new Emitter(onInternalError);
  }

  /** Tells that the result of `list` may have changed. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Tells the events of all open sessions. */
  get onSessionEvent(): Emitter<{ readonly session: AgentSession; readonly event: SessionEvent }>['on'] {
    return this.#events.on;
  }

  /** The open sessions, in the order in which they were opened. */
  get openSessions(): readonly AgentSession[] {
    return [...this.#sessions.values()];
  }

  /** The images of the sessions in the folder. */
  get images(): ImageStore {
    return storeIn(this.#parts.directory);
  }

  /** Newest first, without empty sessions. Each word of the query must be in the title or in a message. */
  async list(query = ''): Promise<readonly ListedSession[]> {
    this.#purge ??= this.#removeOld().catch(this.#parts.onInternalError);
    return this.#list.read(query);
  }

  /** Where a listed session holds the query. `undefined`: its title holds all of it, or no message holds a part. */
  foundPiece(session: ListedSession, query: string): Promise<FoundPiece | undefined> {
    return this.#list.foundPiece(session, query);
  }

  /** The texts that the person sent in all sessions, newest first, each once. */
  earlierPrompts(): Promise<readonly string[]> {
    return this.#list.prompts();
  }

  /** A new session. Its file is made with its first prompt. */
  async create(): Promise<AgentSession> {
    return this.#load({ id: this.#newId(), directory: this.#parts.directory, kind: 'new' });
  }

  /** A new session, on file, that continues a conversation. Each call in `messages` has its result. */
  async createFrom(messages: readonly Message[], origin: 'endpoint'): Promise<AgentSession> {
    const id = this.#newId();
    const { workspace } = this.#parts;
    const options = { origin, workspace, now: this.#now, newId: () => this.#newId() };
    await this.#saveImages(messages.flatMap(imagesOf));
    await this.#writeNew(id, sessionOfMessages(messages, options));
    return this.open(id);
  }

  /**
   * The session with this id, loaded if needed. Read-only when another process has it, or when it is from a newer version
   * or the command line. Rejects when it does not exist, or when another registry of this process has it.
   */
  async open(id: string): Promise<AgentSession> {
    const directory = await this.#directoryOf(id);
    return this.#load({ id, directory, kind: directory === this.#parts.directory ? 'own' : 'foreign' });
  }

  /** Opens a read-only session again, in case it is free now. */
  async takeOver(id: string): Promise<AgentSession> {
    await this.#close(id);
    return this.open(id);
  }

  /** Closes a session that nobody looks at, if it is settled, so that another process can open it. */
  async leave(id: string): Promise<void> {
    if (this.#sessions.get(id)?.isSettled) await this.#close(id);
  }

  /**
   * Rejects when the session is read-only, or cannot be written now: the name is in memory then, and is tried again.
   */
  async rename(id: string, title: string): Promise<void> {
    const wasOpen = this.#open.has(id);
    const session = await this.open(id);
    try {
      session.rename(title);
      const error = await (await this.#open.get(id))?.sync();
      if (error) throw new Error(l10n.t('The new name could not be saved yet: {0}', error.message), { cause: error });
    } finally {
      if (!wasOpen) await this.leave(id);
    }
    this.#changes.emit();
  }

  /** Ends the session and moves it to the trash. Rejects when another process has it. */
  async delete(id: string): Promise<void> {
    const { view } = await this.open(id);
    if (view.readOnly && view.readOnly.why !== 'newer') {
      await this.leave(id);
      throw new Error(
        view.readOnly.why === 'command_line'
          ? l10n.t('Sessions of the command line are not deleted here.')
          : l10n.t('The session is open in another window. Close it there first.'),
      );
    }
    await this.#close(id);
    // A session without a message has no file.
    if (await this.#stored.has(id)) {
      await this.#trash.add(id, this.#now());
      await this.#stored.forget(id);
    }
    this.#changes.emit();
  }

  /** The sessions that `undelete` can bring back, newest deletion first. */
  listDeleted(): Promise<readonly DeletedSession[]> {
    return this.#trash.list();
  }

  /** Undoes a deletion. */
  async undelete(id: string): Promise<void> {
    await this.#trash.restore(id);
    this.#changes.emit();
  }

  /** Copies a session, or its part before a prompt, into a new one. Returns the text of that prompt. */
  async fork(id: string, beforeId?: string): Promise<Omit<Fork, 'text'> & { readonly id: string }> {
    const newId = this.#newId();
    const entries = await this.#entriesOf(id);
    const { text, ...fork } = forkSession(entries, {
      sessionId: id,
      beforeId,
      workspace: this.#parts.workspace,
      now: this.#now,
      newId: () => this.#newId(),
    });
    const from = await this.#directoryOf(id);
    if (from !== this.#parts.directory) await this.#saveImages(await imagesIn(entries, storeIn(from)));
    await this.#writeNew(newId, text);
    return { id: newId, ...fork };
  }

  async export(id: string, format: ExportFormat): Promise<string> {
    const entries = await this.#entriesOf(id);
    if (format === 'markdown') return exportAsMarkdown(entries);
    return exportAsJsonLines(entries, await imagesIn(entries, storeIn(await this.#directoryOf(id))));
  }

  /**
   * Makes a session from an exported one and returns its id. Rejects with a reason for people when it cannot be read.
   */
  async import(bytes: Uint8Array): Promise<string> {
    const id = this.#newId();
    const { workspace } = this.#parts;
    const { text, images } = importSession(bytes, { workspace, now: this.#now, newId: () => this.#newId() });
    await this.#saveImages(images);
    await this.#writeNew(id, text);
    return id;
  }

  /** Applies changed settings: the next run of every open session gets a new client. */
  reconfigure(): void {
    for (const session of this.#sessions.values()) session.reconfigure();
  }

  /** Ends all sessions as a closing window does. Resolves to the error that kept entries from their file, if any. */
  dispose(): Promise<Error | undefined> {
    this.#disposal ??= this.#end();
    return this.#disposal;
  }

  async #end(): Promise<Error | undefined> {
    this.#changes.dispose();
    this.#events.dispose();
    const ids = new Set([...this.#open.keys(), ...this.#closing.keys()]);
    const errors = await Promise.all([...ids].map((id) => this.#close(id)));
    await this.#purge;
    return errors.find((error) => error !== undefined);
  }

  async #directoryOf(id: string): Promise<string> {
    const { directory, commandLine } = this.#parts;
    if (await this.#stored.has(id)) return directory;
    // Checked before the open sessions, because it may be open here.
    if (commandLine && (await this.#foreign?.has(id))) return commandLine.directory;
    if (this.#open.has(id)) return directory;
    throw new Error(l10n.t('There is no session {0} in {1}. It may have been deleted.', id, directory));
  }

  async #entriesOf(id: string): Promise<readonly SessionEntry[]> {
    const session = this.#sessions.get(id);
    if (session && !session.view.readOnly) return session.entries;
    return (await loadEntries(sessionPath(await this.#directoryOf(id), id), this.#storage)).entries;
  }

  async #writeNew(id: string, text: string): Promise<void> {
    const options = { disk: this.#disk, token: this.#newId(), isNew: true };
    await writeWhole(sessionPath(this.#parts.directory, id), text, options);
    this.#changes.emit();
  }

  async #removeOld(): Promise<void> {
    await this.#trash.purge(this.#now());
    await removeUnusedImages(this.#parts.directory, this.#disk, this.#now());
  }

  async #saveImages(images: readonly ImagePart[]): Promise<void> {
    const store = storeIn(this.#parts.directory);
    for (const image of images) await store.save(image);
  }

  async #load(at: SessionAt): Promise<AgentSession> {
    const { id } = at;
    if (this.#disposal) throw new Error('The sessions are closed.');
    const opening = this.#open.get(id) ?? this.#read(at);
    this.#open.set(id, opening);
    try {
      return (await opening).session;
    } catch (error) {
      if (this.#open.get(id) === opening) this.#open.delete(id);
      throw error;
    }
  }

  async #read({ id, directory, kind }: SessionAt): Promise<LoadedSession> {
    const { processes = nodeProcesses, setTimer = systemTimer } = this.#parts;
    // Throws for an invalid id before any file is read.
    const path = sessionPath(directory, id);
    await this.#closing.get(id);
    await this.#stored.sweep();
    const open = await loadSession(
      {
        ...this.#parts,
        storage: this.#storage,
        disk: this.#disk,
        processes,
        now: this.#now,
        newId: () => this.#newId(),
        setTimer,
      },
      { id, path, kind },
    );
    open.session.onEvent((event) => {
      if (changesList(event)) this.#changes.emit();
      this.#events.emit({ session: open.session, event });
    });
    this.#sessions.set(id, open.session);
    return open;
  }

  async #close(id: string): Promise<Error | undefined> {
    const opening = this.#open.get(id);
    if (!opening) return this.#closing.get(id);
    this.#open.delete(id);
    this.#sessions.delete(id);
    const closing = opening.then(
      ({ close }) => close(),
      () => undefined,
    );
    this.#closing.set(id, closing);
    try {
      return await closing;
    } finally {
      this.#sessions.delete(id);
      if (this.#closing.get(id) === closing) this.#closing.delete(id);
    }
  }

  #newId(): string {
    return this.#parts.newId?.() ?? randomUUID();
  }
}

function storeIn(directory: string): ImageStore {
  return createImageStore(createImageFolder(path.join(directory, 'images')));
}

/** The images that entries name, as far as they can be read. */
async function imagesIn(entries: readonly SessionEntry[], store: ImageStore): Promise<readonly ImagePart[]> {
  const stored = storedImagesIn(entries);
  await store.load(stored);
  return stored.flatMap((image) => store.get(image) ?? []);
}

function imagesOf(message: Message): readonly ImagePart[] {
  if (message.role === 'user') return imagesOfContent(message.content);
  return message.role === 'tool' ? (message.content.images ?? []) : [];
}

function changesList({ type }: SessionEvent): boolean {
  return type === 'titled' || type === 'state_changed' || type === 'prompt_added';
}
