import path from 'node:path';
import { SetUpError } from '../download/setUpError';

/** The limits of an archive. A build of llama.cpp for a GPU has 1 GB in 100 files. */
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 4_000_000_000;
const MAX_DEPTH = 20;

/** Counts what an archive holds, and refuses more than a release has. */
export class ArchiveLimits {
  #entries = 0;
  #bytes = 0;

  addEntry(): void {
    this.#entries += 1;
    if (this.#entries > MAX_ENTRIES) throw new SetUpError('archive', 'The archive holds too many files.');
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES) throw new SetUpError('archive', 'The archive is too large.');
  }
}

/** The path of an entry in `folder`. Throws for a name that leads elsewhere, on any system. */
export function entryPath(folder: string, name: string): string {
  const parts = name
    .replace(/\/+$/, '')
    .split('/')
    .filter((part) => part !== '.');
  const isBad = (part: string): boolean =>
    part === '' || part === '..' || /[\\:<>"|?*\p{Cc}]/u.test(part) || /[. ]$/.test(part) || isDevice(part);
  if (parts.length > MAX_DEPTH || parts.some(isBad)) {
    throw new SetUpError('archive', `The archive holds a file with a name that is not safe: ${name.slice(0, 200)}`);
  }
  return path.join(folder, ...parts);
}

/** Whether a link leads to a file beside itself. Builds name their libraries so, with and without a version. */
export function isPlainName(target: string): boolean {
  return /^[\w.+-]{1,200}$/.test(target) && target !== '.' && target !== '..';
}

function isDevice(name: string): boolean {
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(name);
}
