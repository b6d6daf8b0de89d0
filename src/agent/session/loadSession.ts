import { readEntries } from '../../sdk/session/readEntries';
import { SessionElsewhere } from '../../sdk/session/logLock';
import { SessionLog } from '../../sdk/session/sessionLog';
import type { LogStorage } from '../../sdk/session/logStorage';
import type { Disposable } from '../../util/disposable';
import { AgentSession, type AgentSessionParts } from './agentSession';
import type { FileClaims } from './fileClaims';
import type { ReadOnlyReason } from '../view/sessionView';
import { FileLock } from '../sessionFiles/fileLock';
import { keepDamage } from '../sessionFiles/keepDamage';
import { migrateText, replaceByMigrated } from '../sessionFiles/migrateSession';
import type { Processes } from '../sessionFiles/processIdentity';
import { lockPath, type DiskCalls } from '../sessionFiles/sessionDisk';

export interface LoadSessionParts extends Pick<
  AgentSessionParts,
  | 'createClient'
  | 'approver'
  | 'workspace'
  | 'permissionMode'
  | 'projectRules'
  | 'isUnseen'
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
  /** `new`: there is no file yet, and it gets its lock with its file · `foreign`: only to be looked at. */
  readonly kind: 'new' | 'own' | 'foreign';
}

export interface LoadedSession {
  readonly session: AgentSession;
  /** Waits until all of it is on the disk. Answers the error that keeps something in memory, if any. */
  readonly sync: () => Promise<Error | undefined>;
  /** Ends the session and gives its file back. */
  readonly close: () => Promise<void>;
}

const WATCH_MS = 2_000;

/**
 * Loads a session, for writing where nobody else writes it. Rejects when its file cannot be read, or when this process
 * has it open already. That it cannot be written shows when it is.
 */
export async function loadSession(parts: LoadSessionParts, place: SessionPlace): Promise<LoadedSession> {
  const { claims, storage, disk, onInternalError, now, newId, setTimer } = parts;
  const { id, path, kind } = place;
  const claim = claims.claim(path);
  if (!claim) throw new Error(`The session ${id} is open elsewhere in this process.`);
  const lock = createLock(parts, path);
  try {
    const owner = kind === 'own' ? await tryAcquire(lock) : 'nobody';
    // Read after it was locked: whoever had it may have written until then.
    const canWrite = owner === 'us';
    const bytes = await upToDate((await storage.read(path)) ?? new Uint8Array(), { parts, path, canWrite });
    const contents = readEntries(bytes);
    const isNewer = contents.problems.some(({ kind }) => kind === 'newer');
    const keeping = { path, disk, token: newId(), canWrite: canWrite && !isNewer, onInternalError };
    const problems = await keepDamage(bytes, contents, keeping);
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
    const session = new AgentSession({ ...parts, id, log, readOnly });
    const watch = readOnly?.why === 'elsewhere' ? watchLock(lock, parts, () => session.offerTakeOver()) : undefined;
    return {
      session,
      sync: () => log.sync(),
      async close() {
        watch?.dispose();
        await session.dispose();
        claim.dispose();
      },
    };
  } catch (error) {
    await lock.release().catch(onInternalError);
    claim.dispose();
    throw error;
  }
}

function createLock({ disk, processes, now, setTimer, newId }: LoadSessionParts, path: string): FileLock {
  return new FileLock({ path: lockPath(path), files: disk, processes, now, newToken: newId, setTimer });
}

/** `nobody`: it cannot be told, as on a read-only disk; then nothing can be written either, until it can. */
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

/** The bytes as this version writes them; the file as well, where it may be written. */
async function upToDate(
  bytes: Uint8Array,
  at: { readonly parts: LoadSessionParts; readonly path: string; readonly canWrite: boolean },
): Promise<Uint8Array> {
  const migrated = migrateText(new TextDecoder().decode(bytes));
  if (migrated === undefined) return bytes;
  const { disk, newId } = at.parts;
  if (at.canWrite) await replaceByMigrated(at.path, migrated, { disk, token: newId() });
  return new TextEncoder().encode(migrated);
}

/** Looks every two seconds whether the lock has become free, and says so once. */
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
