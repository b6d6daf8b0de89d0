import { ENTRY_VERSION } from '../../sdk/session/entries';
import { isJsonObject, type JsonObject } from '../../util/json';
import { unlessMissing, writeWhole, type WriteWholeOptions } from './sessionDisk';

/** Turns one line of a version into the same of the next. `before`: the line before it, already turned. */
export type Migration = (line: JsonObject, before: JsonObject | undefined, index: number) => JsonObject;

/** By the version they start from. Version 0 is what had no versions: no `v`, no branches, no numbers. */
const migrations: readonly Migration[] = [
  (line, before, index) => ({
    id: `line-${index + 1}`,
    ts: 0,
    ...line,
    v: 1,
    parentId: before?.['id'] ?? null,
    seq: index,
  }),
];

/**
 * The lines of an older file as this version writes them; `undefined` when there is nothing to do. What cannot be read
 * stays as it is, to be reported as the damage it is.
 */
export function migrateText(text: string, steps: readonly Migration[] = migrations): string | undefined {
  const lines = text.split('\n');
  const from = versionOf(lines);
  const target = Math.min(steps.length, ENTRY_VERSION);
  if (from === undefined || from >= target) return undefined;
  let current = lines;
  for (const migrate of steps.slice(from, target)) {
    let before: JsonObject | undefined;
    let index = 0;
    current = current.map((text) => {
      const line = parseObject(text);
      if (!line) return text;
      before = migrate(line, before, index);
      index += 1;
      return JSON.stringify(before);
    });
  }
  return current.join('\n');
}

/** A session's file as this version writes it. */
export function migratedBytes(bytes: Uint8Array): Uint8Array {
  const migrated = migrateText(new TextDecoder().decode(bytes));
  return migrated === undefined ? bytes : new TextEncoder().encode(migrated);
}

/** Puts the new file in the place of the old one, which stays beside it as `<name>.v<version>`. */
export async function replaceByMigrated(filePath: string, migrated: string, options: WriteWholeOptions): Promise<void> {
  const { disk } = options;
  const old = await disk.readFile(filePath, 'utf8');
  const kept = `${filePath}.v${versionOf(old.split('\n')) ?? 0}`;
  // One that is there already is from a migration that was cut off here, and the same.
  if (!(await unlessMissing(disk.stat(kept)))) await writeWhole(kept, old, options);
  await writeWhole(filePath, migrated, options);
}

/** Of the first line that can be read. */
function versionOf(lines: readonly string[]): number | undefined {
  for (const text of lines) {
    const line = parseObject(text);
    if (!line) continue;
    if (typeof line['type'] !== 'string') return undefined;
    const version = line['v'] ?? 0;
    return typeof version === 'number' ? version : undefined;
  }
  return undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.trim());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
