import { readFileSync } from 'node:fs';
import type { QuirkStore } from '../../agent/servers/learnedQuirks';
import { isJsonObject, parseJson, type JsonObject } from '../../util/json';
import type { DraftRecords } from '../../workspace/node/files/draftRecords';
import { writeDataFile } from './dataFile';

/**
 * Keeps the learned quirks of servers in a file, for the next command. A missing or damaged file counts as empty: learning
 * again costs one request. Two processes that learn at once keep what the later one knows.
 */
export function createQuirkFile(file: string, drafts: DraftRecords): QuirkStore {
  let values: Map<string, unknown> | undefined;
  let writing = Promise.resolve();
  const known = (): Map<string, unknown> => (values ??= new Map(Object.entries(read(file))));
  return {
    keys: () => [...known().keys()],
    get: (key) => known().get(key),
    update: (key, value) => {
      if (value === undefined) known().delete(key);
      else known().set(key, value);
      // One after the other, so that the last one wins.
      writing = writing.catch(() => {}).then(() => writeDataFile(file, Object.fromEntries(known()), drafts));
      return writing;
    },
  };
}

function read(file: string): JsonObject {
  try {
    const values = parseJson(readFileSync(file, 'utf8'));
    return isJsonObject(values) ? values : {};
  } catch {
    return {};
  }
}
