import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';

/**
 * A folder whose own size is above this has about a thousand entries or more. NTFS tells no size, so there every folder
 * counts as small.
 */
const LARGE_FOLDER_BYTES = 64 * 1024;
/** So many entries of a large folder come at once. */
const ENTRIES_AT_ONCE = 2_000;

/** The entries of a folder, without blocking for long where it is large. Rejects with the system's error. */
export async function readFolder(folder: string): Promise<readonly Dirent[]> {
  const { size } = await fs.stat(folder);
  return size > LARGE_FOLDER_BYTES ? readLargeFolder(folder) : fs.readdir(folder, { withFileTypes: true });
}

/**
 * As `readFolder`, for a walk through many folders: lists a small one at once, because thousands of asynchronous calls take
 * seconds. Throws or rejects with the system's error.
 */
export function listEntries(folder: string): readonly Dirent[] | Promise<readonly Dirent[]> {
  const size = lstatSync(folder, { throwIfNoEntry: false })?.size ?? 0;
  return size > LARGE_FOLDER_BYTES ? readLargeFolder(folder) : readdirSync(folder, { withFileTypes: true });
}

async function readLargeFolder(folder: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  // The loop closes the folder.
  for await (const entry of await fs.opendir(folder, { bufferSize: ENTRIES_AT_ONCE })) entries.push(entry);
  return entries;
}
