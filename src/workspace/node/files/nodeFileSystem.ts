import type { Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { mapInSlices } from '../../../util/slices/mapInSlices';
import type { DirectoryEntry, FileKind, FileSystem } from '../../ports';
import { ReadOnlyFileError, StaleFileError } from '../../ports';
import { decodeText } from '../../textEncoding';
import { noDraftRecords, type DraftRecords } from './draftRecords';
import { HardLinks } from './hardLinks';
import { withRegularFile } from './regularFile';
import { readFolder } from './listEntries';
import { unlessMissing } from './unlessMissing';
import { createFile, replaceFile } from './replaceFile';

/** Files on disk, by Node. Without buffers, no text is ever unsaved. */
export function createNodeFileSystem(drafts: DraftRecords = noDraftRecords): FileSystem {
  const links = new HardLinks();
  return {
    stat,
    realPath,
    readSlice,
    listDirectory,
    openText,
    writeText: (file, text, expected) => writeText(file, text, expected, drafts),
    readLink,
    protectedLinks: (file, folders) => links.find(file, folders),
  };
}

const stat: FileSystem['stat'] = async (file) => {
  const stats = await unlessMissing(fs.stat(file));
  if (!stats) return undefined;
  const found = { kind: kindOf(stats), size: stats.size, modifiedMs: stats.mtimeMs };
  return isReadOnly(stats) ? { ...found, isReadOnly: true } : found;
};

const realPath: FileSystem['realPath'] = (file) => unlessMissing(fs.realpath(file));

async function readLink(file: string): Promise<string | undefined> {
  try {
    return await fs.readlink(file);
  } catch {
    // It is no link, or nothing, or its folder must not be read.
    return undefined;
  }
}

const readSlice: FileSystem['readSlice'] = (file, offset, maxBytes) =>
  withRegularFile(file, async (handle) => {
    const buffer = new Uint8Array(maxBytes);
    let length = 0;
    while (length < maxBytes) {
      const { bytesRead } = await handle.read(buffer, length, maxBytes - length, offset + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  });

const listDirectory: FileSystem['listDirectory'] = async (folder) => {
  const entries = await readFolder(folder);
  return mapInSlices(entries, (entry): DirectoryEntry | Promise<DirectoryEntry> => {
    if (entry.isSymbolicLink()) return entryOfLink(folder, entry.name);
    return { name: entry.name, kind: kindOf(entry), isSymbolicLink: false };
  });
};

async function entryOfLink(folder: string, name: string): Promise<DirectoryEntry> {
  return { name, kind: await kindOfLink(path.join(folder, name)), isSymbolicLink: true };
}

const openText: FileSystem['openText'] = async (file) => ({ text: await readText(file), isDirty: false });

async function writeText(file: string, text: string, expected: string | null, drafts: DraftRecords): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (expected === null) {
    await fs.mkdir(path.dirname(file), { recursive: true });
    await createFile(file, bytes, drafts);
    return;
  }
  // A link stays, and its target is replaced.
  const target = await realPath(file);
  if (target === undefined) throw new StaleFileError(`${file} does not exist any more.`);
  // The superuser could write it, but the missing permission says that nobody should.
  if (isReadOnly(await fs.stat(target))) throw new ReadOnlyFileError(`${file} is read-only.`);
  const confirm = async (): Promise<void> => {
    if ((await readText(target)) !== expected) throw new StaleFileError(`${file} has changed.`);
  };
  await replaceFile(target, bytes, confirm, drafts);
}

function readText(file: string): Promise<string> {
  return withRegularFile(file, async (handle) => decodeText(await handle.readFile(), file));
}

function isReadOnly(stats: Stats): boolean {
  return stats.isFile() && (stats.mode & 0o222) === 0;
}

async function kindOfLink(link: string): Promise<FileKind> {
  try {
    return kindOf(await fs.stat(link));
  } catch {
    // The link is broken, circular, or leads to a place that must not be read.
    return 'other';
  }
}

export function kindOf(stats: Pick<Stats, 'isFile' | 'isDirectory'>): FileKind {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}
