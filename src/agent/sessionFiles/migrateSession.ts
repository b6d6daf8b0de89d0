import { ENTRY_VERSION } from '../../sdk/session/entries';
import { LineSplitter } from '../../sdk/session/lineSplitter';
import { isJsonObject, type JsonObject } from '../../util/json';
import { unlessMissing, writeWhole, type WriteWholeOptions } from './sessionDisk';

/** Migrates one line to the next version. `before`: the line before it, already migrated. */
export type Migration = (line: JsonObject, before: JsonObject | undefined, index: number) => JsonObject;

/** By the version they start from. Version 0 had no `v`, no branches and no sequence numbers. */
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
 * The lines of an older file in this version's format; `undefined`: nothing to migrate. Keeps unreadable lines, which are
 * reported as damage later.
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

/** Older files are small. A larger one is not converted. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;

/**
 * The text of an older file in this version's format; `undefined`: nothing to migrate. Reads a file of this version only up
 * to its first readable line. Rejects if an older file is too large.
 */
export async function migratedText(read: () => AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const version = await firstVersion(read());
  if (version === undefined || version >= Math.min(migrations.length, ENTRY_VERSION)) return undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of read()) {
    length += piece.length;
    if (length > MAX_OLD_BYTES) throw new Error('The session is of an older version and too large to convert.');
    pieces.push(piece);
  }
  return migrateText(new TextDecoder().decode(Buffer.concat(pieces)));
}

/** The version of the first readable line. */
async function firstVersion(pieces: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  let found: { readonly version: number | undefined } | undefined;
  const splitter = new LineSplitter(({ bytes }) => {
    const line = found || !bytes ? undefined : parseObject(bytes.toString('utf8'));
    if (line) found = { version: versionOfLine(line) };
  });
  for await (const piece of pieces) {
    splitter.push(piece);
    if (found) return found.version;
  }
  splitter.end();
  return found?.version;
}

/** Replaces the file. Keeps the old one beside it as `<name>.v<version>`. */
export async function replaceByMigrated(filePath: string, migrated: string, options: WriteWholeOptions): Promise<void> {
  const { disk } = options;
  const old = await disk.readFile(filePath, 'utf8');
  const kept = `${filePath}.v${versionOf(old.split('\n')) ?? 0}`;
  // An existing copy is the same: an earlier migration was interrupted here.
  if (!(await unlessMissing(disk.stat(kept)))) await writeWhole(kept, old, options);
  await writeWhole(filePath, migrated, options);
}

/** The version of the first readable line. */
function versionOf(lines: readonly string[]): number | undefined {
  for (const text of lines) {
    const line = parseObject(text);
    if (line) return versionOfLine(line);
  }
  return undefined;
}

function versionOfLine(line: JsonObject): number | undefined {
  if (typeof line['type'] !== 'string') return undefined;
  const version = line['v'] ?? 0;
  return typeof version === 'number' ? version : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.trim());
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
