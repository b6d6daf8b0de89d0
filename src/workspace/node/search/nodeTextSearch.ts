import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { TextSearch } from '../../ports';
import { decodeText } from '../../textEncoding';
import { withRegularFile } from '../files/regularFile';
import { searchFiles, type SearchedFiles } from './searchFiles';
import { walkFiles } from '../files/walkFiles';

/** Bigger files are generated or data; reading them all would make every search slow. */
const MAX_FILE_BYTES = 2_000_000;

export interface NodeTextSearchOptions {
  /** How long a regular expression may work on one batch of files. Default 5,000. */
  readonly regexTimeoutMs?: number | undefined;
}

/** Search by walking the folder: for where VS Code's ripgrep is not at hand. */
export function createNodeTextSearch({ regexTimeoutMs = 5000 }: NodeTextSearchOptions = {}): TextSearch {
  return { search: (query, { signal }) => searchFiles(query, FILES_ON_DISK, { regexTimeoutMs, signal }) };
}

const FILES_ON_DISK: SearchedFiles = {
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
    // Not text, not readable or deleted meanwhile: nothing to find in it either way.
    return undefined;
  }
}
