import path from 'node:path';
import { createLogStorage } from '../../sdk/session/createLogStorage';
import { removeOrphanedImages } from '../../sdk/session/images/imageFolder';
import { namesIn, type DiskCalls } from './sessionDisk';

/** As long as a deleted session can be brought back. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const HASH = /"hash":"([0-9a-f]{64})"/g;
/** Longer than what `HASH` matches, so a hash between two pieces is found. */
const OVERLAP = 100;

/**
 * Removes images that neither a session nor a deleted session names, a month after they were kept. Reads the sessions only
 * when there is such an old image. Sessions that cannot be read keep all images.
 */
export async function removeUnusedImages(directory: string, disk: DiskCalls, nowMs: number): Promise<void> {
  const folder = path.join(directory, 'images');
  const olderThanMs = nowMs - KEPT_MS;
  const names = await namesIn(folder, disk);
  const ages = await Promise.all(names.map(async (name) => (await disk.lstat(path.join(folder, name))).mtimeMs));
  if (!ages.some((mtimeMs) => mtimeMs < olderThanMs)) return;
  const used = new Set<string>();
  for (const place of [directory, path.join(directory, 'trash')]) {
    for (const name of await namesIn(place, disk)) {
      if (name.includes('.jsonl')) await addHashes(path.join(place, name), disk, used);
    }
  }
  await removeOrphanedImages(folder, { used, olderThanMs });
}

async function addHashes(file: string, disk: DiskCalls, used: Set<string>): Promise<void> {
  let rest = '';
  for await (const piece of createLogStorage(disk).read(file)) {
    const text = rest + Buffer.from(piece).toString('latin1');
    for (const [, hash = ''] of text.matchAll(HASH)) used.add(hash);
    rest = text.slice(-OVERLAP);
  }
}
