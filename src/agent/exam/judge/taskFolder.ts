import { lstat, mkdir, mkdtemp, opendir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A throwaway folder in the system's folder for temporary files. */
export interface TaskFolder extends AsyncDisposable {
  /** The real path of the folder that the model works in. */
  readonly path: string;
  /** A folder beside it, for files that the model must not see. */
  readonly beside: string;
}

/** Makes a folder with some files. Disposing deletes it. */
export async function createTaskFolder(files: Readonly<Record<string, string>>): Promise<TaskFolder> {
  const outer = await realpath(await mkdtemp(path.join(os.tmpdir(), 'open-agent-exam-')));
  const folder = { path: path.join(outer, 'project'), beside: path.join(outer, 'beside') };
  const remove = (): Promise<void> => rm(outer, { recursive: true, force: true, maxRetries: 5 });
  try {
    await mkdir(folder.path);
    await mkdir(folder.beside);
    await writeFiles(folder.path, files);
  } catch (error) {
    await remove();
    throw error;
  }
  return { ...folder, [Symbol.asyncDispose]: remove };
}

/** Writes files below a folder. A file or link that is there already is replaced, not followed. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await rm(file, { recursive: true, force: true });
    await writeFile(file, text, { flag: 'wx' });
  }
}

const MAX_FILES = 500;
const MAX_BYTES = 2_000_000;
/** Of all files together: a program of the model may have written them. */
const MAX_BYTES_OF_ALL = 20_000_000;

/**
 * The files below a folder, by `/`-separated path. `undefined` for what is no plain text file of ordinary size. Never follows
 * links. Ends early when there are too many files.
 */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  let left = MAX_BYTES_OF_ALL;
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined && found.size < MAX_FILES; place = waiting.pop()) {
    for await (const entry of await opendir(path.join(folder, place))) {
      const name = place === '' ? entry.name : `${place}/${entry.name}`;
      if (found.size + waiting.length >= MAX_FILES) break;
      if (entry.isDirectory()) {
        waiting.push(name);
        continue;
      }
      const text = await readPlain(path.join(folder, name), left);
      left -= text?.length ?? 0;
      found.set(name, text);
    }
  }
  return found;
}

async function readPlain(file: string, left: number): Promise<string | undefined> {
  const found = await lstat(file);
  return found.isFile() && found.size <= Math.min(MAX_BYTES, left) ? readFile(file, 'utf8') : undefined;
}
