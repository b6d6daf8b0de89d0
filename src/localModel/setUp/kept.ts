import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { localFolder, readState, updateState } from '../localState';

/** A model, a program or the rest of a download that Open Agent keeps on the disk. */
export interface Kept {
  readonly kind: 'model' | 'program' | 'unfinished';
  readonly name: string;
  /** A file or a folder. */
  readonly path: string;
  readonly bytes: number;
  /** The model of this machine, or its program. */
  readonly isInUse: boolean;
}

/** Lists what Open Agent has fetched, with the room that it takes. */
export async function listKept(folder: string): Promise<readonly Kept[]> {
  const { models, programs } = localFolder(folder);
  const { chosen } = await readState(folder);
  const kept: Kept[] = [];
  for (const [kind, place] of [
    ['model', models],
    ['program', programs],
  ] as const) {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      if (entry.name.endsWith('.lock')) continue;
      const full = path.join(place, entry.name);
      const isWhole = kind === 'model' ? entry.isFile() && entry.name.endsWith('.gguf') : isProgramFolder(entry);
      kept.push({
        kind: isWhole ? kind : 'unfinished',
        name: entry.name,
        path: full,
        bytes: await bytesOf(full),
        isInUse: kind === 'model' ? chosen?.modelFile === full : isBelow(chosen?.program, full),
      });
    }
  }
  return kept;
}

/** Deletes something from `listKept`. The server must not run it. The model of this machine is no longer set up afterwards. */
export async function removeKept(folder: string, { path: file, isInUse }: Kept): Promise<void> {
  const { models, programs } = localFolder(folder);
  if (path.dirname(file) !== models && path.dirname(file) !== programs) throw new Error(`${file} is not ours.`);
  const { fetched = {} } = await readState(folder);
  const left = Object.entries(fetched).filter(([name]) => path.join(models, name) !== file);
  await updateState(folder, { fetched: Object.fromEntries(left), ...(isInUse && { chosen: undefined }) });
  await rm(file, { recursive: true, force: true });
}

function isProgramFolder(entry: { readonly name: string; isDirectory(): boolean }): boolean {
  return entry.isDirectory() && !entry.name.includes('.draft-');
}

function isBelow(file: string | undefined, folder: string): boolean {
  return file?.startsWith(`${folder}${path.sep}`) ?? false;
}

async function bytesOf(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isDirectory()) return info?.size ?? 0;
  const entries = await readdir(file, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
