import { readEntries, readEntriesFrom, type LogContents } from '../../sdk/session/readEntries';
import { createImageFolder, imageFolderOf } from '../../sdk/session/images/imageFolder';
import { createImageStore } from '../../sdk/session/images/imageStore';
import { SessionElsewhere } from '../../sdk/session/logLock';
import { SessionLog } from '../../sdk/session/sessionLog';
import type { LogStorage } from '../../sdk/session/logStorage';
import type { Disposable } from '../../util/disposable';
import { AgentSession, type AgentSessionParts } from './agentSession';
import type { FileClaims } from './fileClaims';
import type { ReadOnlyReason } from '../view/sessionView';
import { viewInSlices } from '../view/fold/viewFromEntries';
import { keepDamage } from '../sessionFiles/keepDamage';
import { migratedText, replaceByMigrated } from '../sessionFiles/migrateSession';
import { FileLock } from '../../workspace/node/files/fileLock';
import type { Processes } from '../../workspace/node/processes/processIdentity';
import { lockPath, type DiskCalls } from '../sessionFiles/sessionDisk';

export interface LoadSessionParts extends Pick<
  AgentSessionParts,
  | 'createClient'
  | 'approver'
  | 'workspace'
  | 'permissionMode'
  | 'projectRules'
  | 'isUnseen'
  | 'findCheck'
  | 'onInternalError'
  | 'now'
  | 'newId'
  | 'setTimer'
> {
  readonly claims: FileClaims;
  readonly storage: LogStorage;
  readonly disk: DiskCalls;
  readonly processes: Processes;
}

export interface SessionPlace {
  readonly id: string;
  readonly path: string;
  /** `new`: the file does not exist and is locked when it is made · `foreign`: read-only. */
  readonly kind: 'new' | 'own' | 'foreign';
}

export interface LoadedSession {
  readonly session: AgentSession;
  /** Waits until all entries are on the disk. Returns the error that keeps some in memory, if any. */
  readonly sync: () => Promise<Error | undefined>;
  /** Ends the session and releases its file. Returns the error that kept some entries from the file, if any. */
  readonly close: () => Promise<Error | undefined>;
}

const WATCH_MS = 2_000;

/**
 * Loads a session; read-only when another process writes it. Rejects when its file cannot be read, or when this process
 * has it open already. A file that cannot be written is reported at the first write.
 */
export async function loadSession(parts: LoadSessionParts, place: SessionPlace): Promise<LoadedSession> {
  const { claims, storage, disk, onInternalError, now, newId, setTimer } = parts;
  const { id, path, kind } = place;
  const claim = claims.claim(path);
  if (!claim) throw new Error(`The session ${id} is open elsewhere in this process.`);
  const lock = createLock(parts, path);
  try {
    const owner = kind === 'own' ? await tryAcquire(lock) : 'nobody';
    // Read after locking: another process may have written until then.
    const canWrite = owner === 'us';
    const contents = await readUpToDate(parts, path, canWrite);
    const isNewer = contents.problems.some(({ kind }) => kind === 'newer');
    const keeping = { path, disk, token: newId(), canWrite: canWrite && !isNewer, onInternalError };
    const problems = await keepDamage(contents, keeping);
    const readOnly = reasonFor(kind === 'foreign' ? 'foreign' : owner, isNewer);
    if (readOnly) await lock.release();
    const log = new SessionLog(
      {
        path,
        storage,
        now,
        newId,
        setTimer,
        onListenerError: onInternalError,
        lock,
        isReadOnly: readOnly !== undefined,
      },
      { ...contents, problems },
    );
    const view = await viewInSlices(id, log.entries);
    const images = createImageStore(createImageFolder(imageFolderOf(path)));
    const session = new AgentSession({ ...parts, id, log, images, view, readOnly });
    const watch = readOnly?.why === 'elsewhere' ? watchLock(lock, parts, () => session.offerTakeOver()) : undefined;
    return {
      session,
      sync: () => log.sync(),
      async close() {
        watch?.dispose();
        await session.dispose();
        claim.dispose();
        return log.writeError;
      },
    };
  } catch (error) {
    await lock.release().catch(onInternalError);
    claim.dispose();
    throw error;
  }
}

function createLock({ disk, processes, now, setTimer, newId }: LoadSessionParts, path: string): FileLock {
  return new FileLock({
    path: lockPath(path),
    files: disk,
    processes,
    now,
    newToken: newId,
    setTimer,
    heldElsewhere: () => new SessionElsewhere(),
  });
}

/** `nobody`: unknown, as on a read-only disk, where nothing can be written either. */
async function tryAcquire(lock: FileLock): Promise<'us' | 'elsewhere' | 'nobody'> {
  try {
    await lock.acquire();
    return 'us';
  } catch (error) {
    return error instanceof SessionElsewhere ? 'elsewhere' : 'nobody';
  }
}

function reasonFor(owner: string, isNewer: boolean): ReadOnlyReason | undefined {
  if (owner === 'foreign') return { why: 'command_line', canTakeOver: false };
  if (isNewer) return { why: 'newer', canTakeOver: false };
  return owner === 'elsewhere' ? { why: 'elsewhere', canTakeOver: false } : undefined;
}

/** Reads the file in this version's format. Also migrates the file, if it may be written. */
async function readUpToDate(parts: LoadSessionParts, path: string, canWrite: boolean): Promise<LogContents> {
  const { storage, disk, newId } = parts;
  const migrated = await migratedText(() => storage.read(path));
  if (migrated === undefined) return readEntriesFrom(storage.read(path));
  if (canWrite) await replaceByMigrated(path, migrated, { disk, token: newId() });
  return readEntries(new TextEncoder().encode(migrated));
}

/** Checks every two seconds whether the lock is free, and calls `onFree` once. */
function watchLock(lock: FileLock, { setTimer, onInternalError }: LoadSessionParts, onFree: () => void): Disposable {
  let timer: Disposable | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    let isFree = false;
    try {
      isFree = await lock.isFree();
    } catch (error) {
      onInternalError(error);
    }
    if (isOver) return;
    if (isFree) onFree();
    else timer = setTimer(() => void look(), WATCH_MS);
  };
  timer = setTimer(() => void look(), WATCH_MS);
  return {
    dispose() {
      isOver = true;
      timer?.dispose();
    },
  };
}
