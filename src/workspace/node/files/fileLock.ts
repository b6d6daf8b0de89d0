import type * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { LogLock } from '../../../sdk/session/logLock';
import { hasCode } from '../../../sdk/session/createLogStorage';
import type { Disposable } from '../../../util/disposable';
import { parseJson } from '../../../util/json';
import { ProcessIdentity, type Processes } from '../processes/processIdentity';
import { draftName } from './drafts';

export type LockCalls = Pick<
  typeof nodeFiles,
  'link' | 'mkdir' | 'readFile' | 'rename' | 'stat' | 'unlink' | 'utimes' | 'writeFile'
>;

export interface FileLockParts {
  /** The path of the lock. Claims are beside it, with longer names. */
  readonly path: string;
  readonly files: LockCalls;
  readonly processes: Processes;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new name, valid in a file name. */
  readonly newToken: () => string;
  readonly setTimer: (run: () => void, delayMs: number) => Disposable;
  /** What `acquire` rejects with while another living process has the lock. */
  readonly heldElsewhere: () => Error;
}

const Owner = z.object({ token: z.string().regex(/^[\w-]{1,64}$/), process: ProcessIdentity });
type Owner = z.infer<typeof Owner>;

interface Link extends Owner {
  /** The file that names this owner. */
  readonly name: string;
}

const RENEW_MS = 30_000;
/** An owner whose process cannot be checked loses its lock when it has not renewed it for this long. */
const ABANDONED_MS = 5 * 60_000;

/**
 * A file that names the one process that may write something, such as a session or a download. It is made complete, by a
 * link. A dead owner is succeeded without removing its lock: the first to make the file named after the dead owner's token
 * is its only heir, and replaces the old lock with its own. An heir that dies is succeeded in the same way. So at any
 * moment exactly one process has the right: the last in the chain that starts with the lock.
 */
export class FileLock implements LogLock {
  readonly #parts: FileLockParts;
  readonly #token: string;
  #isHeld = false;
  #verifiedMs = 0;
  #timer: Disposable | undefined;

  constructor(parts: FileLockParts) {
    this.#parts = parts;
    this.#token = parts.newToken();
  }

  /** Whether no other living process has it. */
  async isFree(): Promise<boolean> {
    const last = (await this.#chain()).at(-1);
    return last === undefined || last.token === this.#token || !(await this.#isAlive(last));
  }

  async acquire(): Promise<void> {
    const { now } = this.#parts;
    if (this.#isHeld && Math.abs(now() - this.#verifiedMs) < RENEW_MS * 2) return;
    if (!(await this.#take())) {
      this.#forget();
      throw this.#parts.heldElsewhere();
    }
    this.#isHeld = true;
    this.#verifiedMs = now();
    this.#timer ??= this.#renewLater();
  }

  async release(): Promise<void> {
    this.#forget();
    try {
      await this.#remove();
    } catch {
      // Tries once more: a lock that stays would keep all processes from the file while this one lives.
      await this.#remove();
    }
  }

  async #remove(): Promise<void> {
    const { path: lock, files } = this.#parts;
    if ((await this.#ownerOf(lock))?.token === this.#token) await files.unlink(lock);
  }

  #forget(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#isHeld = false;
  }

  async #take(): Promise<boolean> {
    const { path: lock, files, processes } = this.#parts;
    if ((await this.#ownerOf(lock))?.token === this.#token) return true;
    const draft = await draftName(lock, this.#token);
    await files.mkdir(path.dirname(lock), { recursive: true, mode: 0o700 });
    const owner: Owner = { token: this.#token, process: await processes.self() };
    await files.writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
    const leftovers = [draft];
    try {
      for (;;) {
        const chain = await this.#chain();
        const last = chain.at(-1);
        if (last?.token === this.#token) {
          if (chain.length > 1) await files.rename(draft, lock);
          leftovers.push(...chain.slice(1).map(({ name }) => name));
          return true;
        }
        if (last && (await this.#isAlive(last))) return false;
        const claim = last && `${lock}.${last.token}`;
        if ((await this.#linkNew(draft, claim ?? lock)) && claim !== undefined) leftovers.push(claim);
      }
    } finally {
      for (const leftover of leftovers) await this.#discard(leftover);
    }
  }

  /** The chain of owners: of the lock, then the heir of each dead owner. */
  async #chain(): Promise<readonly Link[]> {
    const chain: Link[] = [];
    let name = this.#parts.path;
    for (;;) {
      const owner = await this.#ownerOf(name);
      if (!owner || chain.some(({ token }) => token === owner.token)) return chain;
      chain.push({ ...owner, name });
      name = `${this.#parts.path}.${owner.token}`;
    }
  }

  async #ownerOf(name: string): Promise<Owner | undefined> {
    let text: string;
    try {
      text = await this.#parts.files.readFile(name, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
    // Not ours, or damaged by a crash: an owner that cannot be checked, until it is old enough.
    return (
      Owner.safeParse(parseJson(text)).data ?? { token: 'unreadable', process: { pid: 0, realm: '', startTime: '' } }
    );
  }

  async #isAlive({ name, process }: Link): Promise<boolean> {
    const { files, processes, now } = this.#parts;
    const liveness = await processes.livenessOf(process);
    if (liveness !== 'unknown') return liveness === 'alive';
    try {
      return now() - (await files.stat(name)).mtimeMs < ABANDONED_MS;
    } catch (error) {
      // It was released meanwhile. Unknown until the next check.
      if (hasCode(error, 'ENOENT')) return true;
      throw error;
    }
  }

  /** Returns false when the name is taken. */
  async #linkNew(draft: string, name: string): Promise<boolean> {
    const { files } = this.#parts;
    try {
      await files.link(draft, name);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].some((code) => hasCode(error, code))) throw error;
    }
    // Without links, the file exists for a moment before its content and counts as unreadable until then.
    try {
      await files.writeFile(name, await files.readFile(draft), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  async #discard(name: string): Promise<void> {
    try {
      await this.#parts.files.unlink(name);
    } catch {
      // A claim that stays does no harm: no later chain leads there. Old claims are removed with other leftovers.
    }
  }

  #renewLater(): Disposable {
    return this.#parts.setTimer(() => {
      this.#timer = undefined;
      void this.#renew();
    }, RENEW_MS);
  }

  async #renew(): Promise<void> {
    const { path: lock, files, now } = this.#parts;
    try {
      const owner = await this.#ownerOf(lock);
      if (!this.#isHeld) return;
      if (owner?.token !== this.#token) return this.#forget();
      await files.utimes(lock, now() / 1_000, now() / 1_000);
      this.#verifiedMs = now();
    } catch {
      // The disk is away: the next write checks again and reports it.
      this.#verifiedMs = Number.NEGATIVE_INFINITY;
    }
    if (this.#isHeld) this.#timer ??= this.#renewLater();
  }
}
