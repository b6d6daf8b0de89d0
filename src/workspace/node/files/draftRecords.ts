import * as fs from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { draftName, isAbandoned, isDraftName } from './drafts';
import { unlessMissing } from './unlessMissing';

/** Records where drafts of workspace files are, so that those of a killed process are removed at the next start. */
export interface DraftRecords {
  /**
   * Call it before the draft is made, and the result when the draft is gone. Never rejects: a file may be written
   * without.
   */
  begin(draft: string): Promise<() => Promise<void>>;
  /** Removes the drafts of dead processes, and their records. Touches no file that is not recorded. */
  clearUp(nowMs: number): Promise<void>;
}

const DraftRecord = z.object({ draft: z.string() });

/** One file for each draft. All workspaces share the folder. */
export function createDraftRecords(folder: string): DraftRecords {
  return {
    async begin(draft) {
      const record = await draftName(path.join(folder, 'draft'));
      try {
        await fs.mkdir(folder, { recursive: true, mode: 0o700 });
        await fs.writeFile(record, JSON.stringify({ draft }), { mode: 0o600 });
      } catch {
        // With a full disk the draft cannot be written either, and says so.
      }
      return () => fs.rm(record, { force: true }).catch(() => undefined);
    },

    async clearUp(nowMs) {
      for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
        if (!isDraftName(name)) continue;
        const record = path.join(folder, name);
        const stats = await unlessMissing(fs.stat(record));
        if (!stats || !(await isAbandoned(name, nowMs - stats.mtimeMs))) continue;
        const draft = await draftIn(record);
        if (draft !== undefined) await removeDraft(draft);
        await unlessMissing(fs.unlink(record));
      }
    },
  };
}

/** For files that nobody may find after a crash, such as those of tests. */
export const noDraftRecords: DraftRecords = { begin: async () => async () => {}, clearUp: async () => {} };

/**
 * For programs, which have no folder for records: the first write into a folder removes the drafts that dead processes left
 * in it. A draft is known by its hidden name, which names its process.
 */
export function clearingDrafts(): DraftRecords {
  const cleared = new Set<string>();
  return {
    async begin(draft) {
      const folder = path.dirname(draft);
      if (!cleared.has(folder)) {
        cleared.add(folder);
        // The write itself reports what is wrong with the folder.
        await clearFolder(folder, Date.now()).catch(() => undefined);
      }
      return async () => {};
    },
    clearUp: async () => {},
  };
}

async function clearFolder(folder: string, nowMs: number): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith('.') || !isDraftName(name)) continue;
    const draft = path.join(folder, name);
    const stats = await unlessMissing(fs.lstat(draft));
    if (stats && (await isAbandoned(name, nowMs - stats.mtimeMs))) await removeDraft(draft);
  }
}

/** `undefined`: the process died before it had written the record, so there is no draft. */
async function draftIn(record: string): Promise<string | undefined> {
  try {
    return DraftRecord.parse(JSON.parse(await fs.readFile(record, 'utf8'))).draft;
  } catch {
    return undefined;
  }
}

async function removeDraft(draft: string): Promise<void> {
  if (!isDraftName(path.basename(draft))) return;
  const stats = await unlessMissing(fs.lstat(draft));
  if (stats?.isFile()) await unlessMissing(fs.unlink(draft));
}
