import * as l10n from '../../util/l10n';
import path from 'node:path';
import { createLogStorage } from '../../sdk/session/createLogStorage';
import { namesIn, sessionPath, unlessMissing, type DiskCalls } from './sessionDisk';
import { summarise } from './summarise';

const KEPT_MS = 30 * 24 * 60 * 60_000;
const TRASHED = /^(.+)\.(\d+)\.jsonl(\..+)?$/;

export interface DeletedSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly deletedMs: number;
}

/** Deleted sessions, kept in a folder beside the others for 30 days. */
export class SessionTrash {
  readonly #directory: string;
  readonly #disk: DiskCalls;

  constructor(parts: { readonly directory: string; readonly disk: DiskCalls }) {
    this.#directory = parts.directory;
    this.#disk = parts.disk;
  }

  /** Moves a session's file here, with its copies of older versions. */
  async add(id: string, nowMs: number): Promise<void> {
    const filePath = sessionPath(this.#directory, id);
    const own = path.basename(filePath);
    await this.#disk.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const trashed = path.join(this.#folder, `${id}.${nowMs}.jsonl`);
    const names = await namesIn(this.#directory, this.#disk);
    const beside = names.filter((name) => name.startsWith(`${own}.`) && !name.endsWith('.tmp'));
    // The session itself goes first. Files that do not follow it are found again when it is restored.
    await this.#disk.rename(filePath, trashed);
    for (const name of beside) {
      await unlessMissing(this.#disk.rename(path.join(this.#directory, name), `${trashed}${name.slice(own.length)}`));
    }
  }

  /** The deleted sessions, newest deletion first. Leaves out files that cannot be read as a session. */
  async list(): Promise<readonly DeletedSession[]> {
    const deleted = new Map<string, DeletedSession>();
    for (const { name, id, deletedMs, suffix } of await this.#list()) {
      if (suffix !== '' || (deleted.get(id)?.deletedMs ?? 0) > deletedMs) continue;
      const filePath = path.join(this.#folder, name);
      // A link could lead to any file.
      if (!(await unlessMissing(this.#disk.lstat(filePath)))?.isFile()) continue;
      const sketch = await summarise(() => createLogStorage(this.#disk).read(filePath));
      if (sketch) deleted.set(id, { id, title: sketch.title, deletedMs });
    }
    return [...deleted.values()].sort((a, b) => b.deletedMs - a.deletedMs);
  }

  /** Restores the session that was deleted last under this id. Rejects when it is gone. */
  async restore(id: string): Promise<void> {
    const filePath = sessionPath(this.#directory, id);
    const trashed = (await this.#list()).filter((file) => file.id === id);
    const newest = Math.max(...trashed.map(({ deletedMs }) => deletedMs));
    // The session itself comes last: if this fails before, it can be tried again.
    const files = trashed
      .filter(({ deletedMs }) => deletedMs === newest)
      .sort((a, b) => b.suffix.length - a.suffix.length);
    if (files.length === 0) throw new Error(l10n.t('The session is not among the deleted ones any more.'));
    if (await unlessMissing(this.#disk.stat(filePath))) throw new Error(l10n.t('The session is there already.'));
    for (const { name, suffix } of files) {
      await this.#disk.rename(path.join(this.#folder, name), `${filePath}${suffix}`);
    }
  }

  /** Removes sessions that were deleted more than 30 days ago. */
  async purge(nowMs: number): Promise<void> {
    for (const { name, deletedMs } of await this.#list()) {
      if (nowMs - deletedMs > KEPT_MS) await unlessMissing(this.#disk.unlink(path.join(this.#folder, name)));
    }
  }

  get #folder(): string {
    return path.join(this.#directory, 'trash');
  }

  async #list(): Promise<readonly { name: string; id: string; deletedMs: number; suffix: string }[]> {
    const names = await namesIn(this.#folder, this.#disk);
    return names.flatMap((name) => {
      const [, id, deleted, suffix = ''] = TRASHED.exec(name) ?? [];
      return id === undefined ? [] : [{ name, id, deletedMs: Number(deleted), suffix }];
    });
  }
}
