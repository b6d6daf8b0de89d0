import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { readEntries } from '../sdk/session/readEntries';

/** What a list shows of a session that is not open. */
export interface StoredSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
}

const EXTENSION = '.jsonl';

/** The title is among the first lines: long ones come after it. */
const HEAD_BYTES = 64 * 1024;

/** Where a session is kept. Throws for an id that is not a plain file name: ids also come from the webview. */
export function sessionPath(directory: string, id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(id)) throw new Error(`"${id}" is not the id of a session.`);
  return path.join(directory, `${id}${EXTENSION}`);
}

export async function sessionExists(directory: string, id: string): Promise<boolean> {
  return (await fileTimes(sessionPath(directory, id))) !== undefined;
}

/** The sessions in a folder, in no order. Files that are no sessions, or gone meanwhile, are left out. */
export class StoredSessions {
  readonly #directory: string;
  readonly #known = new Map<string, { readonly modifiedMs: number; readonly session: StoredSession | undefined }>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async list(): Promise<readonly StoredSession[]> {
    const names = await namesIn(this.#directory);
    const sessions = await Promise.all(
      names.filter((name) => name.endsWith(EXTENSION)).map((name) => this.#look(name.slice(0, -EXTENSION.length))),
    );
    return sessions.filter((session) => session !== undefined);
  }

  async #look(id: string): Promise<StoredSession | undefined> {
    const filePath = path.join(this.#directory, `${id}${EXTENSION}`);
    const modifiedMs = await fileTimes(filePath);
    if (modifiedMs === undefined) return undefined;
    const known = this.#known.get(id);
    if (known?.modifiedMs === modifiedMs) return known.session;
    const { entries } = readEntries(await readHead(filePath));
    const titles = entries.filter((entry) => entry.type === 'title');
    const title = titles.at(-1)?.title ?? 'Untitled session';
    const session = entries.length === 0 ? undefined : { id, title, updatedMs: modifiedMs };
    this.#known.set(id, { modifiedMs, session });
    return session;
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(directory))) ?? [];
}

async function fileTimes(filePath: string): Promise<number | undefined> {
  return (await unlessMissing(stat(filePath)))?.mtimeMs;
}

async function readHead(filePath: string): Promise<Uint8Array> {
  const handle = await unlessMissing(open(filePath, 'r'));
  if (!handle) return new Uint8Array();
  try {
    const buffer = new Uint8Array(HEAD_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
