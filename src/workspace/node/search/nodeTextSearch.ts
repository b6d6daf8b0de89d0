import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { TextSearch } from '../../ports';
import { decodeText } from '../../textEncoding';
import { withRegularFile } from '../files/regularFile';
import { searchFiles, type SearchedFiles } from './searchFiles';
import { walkFiles } from '../files/walkFiles';

/** Bigger files are data or generated. Reading them would make each search slow. */
const MAX_FILE_BYTES = 2_000_000;

export interface NodeTextSearchOptions {
  /** How long a regular expression may work on one batch of files. Default 5,000. */
  readonly regexTimeoutMs?: number | undefined;
}

/** Searches by walking the folder, where there is no ripgrep. */
export function createNodeTextSearch({ regexTimeoutMs = 5000 }: NodeTextSearchOptions = {}): TextSearch {
  return { search: (query, { signal }) => searchFiles(query, filesOnDisk, { regexTimeoutMs, signal }) };
}

export const filesOnDisk: SearchedFiles = {
  isFile: async (file) => (await fs.stat(file)).isFile(),
  walk: walkFiles,
  relative: (folder, file) => path.relative(folder, file).split(path.sep).join('/'),
  readText,
};

async function readText(file: string): Promise<string | undefined> {
  try {
    return await withRegularFile(file, async (handle) => {
      if ((await handle.stat()).size > MAX_FILE_BYTES) return undefined;
      return decodeText(await handle.readFile(), file);
    });
  } catch {
    // The file is no text, cannot be read, or was deleted: there is nothing to find in it.
    return undefined;
  }
}
