import type { SessionEntry } from '../../sdk/session/entries';
import { parseEntry } from '../../sdk/session/parseEntry';
import { LineSplitter } from '../../sdk/session/lineSplitter';
import { readEntries, readEntriesFrom } from '../../sdk/session/readEntries';
import { parseJson } from '../../util/json';
import { migratedText } from './migrateSession';

/** Reads a session's file from its start, in pieces. */
export type ReadPieces = () => AsyncIterable<Uint8Array>;

/** The type of an entry stands after its ids and numbers. */
const TYPE_WITHIN = 500;

/**
 * The entries whose line matches `wanted` near its start. Parses no other line. If they are not `enough`, the file has
 * another format of JSON, an older version or damage: then returns all entries.
 */
export async function findEntries(
  read: ReadPieces,
  wanted: RegExp,
  isEnough: (entries: readonly SessionEntry[]) => boolean,
): Promise<readonly SessionEntry[]> {
  const entries: SessionEntry[] = [];
  const splitter = new LineSplitter(({ bytes }) => {
    if (!bytes || !wanted.test(bytes.toString('latin1', 0, TYPE_WITHIN))) return;
    const parsed = parseEntry(parseJson(bytes.toString('utf8')));
    if (parsed.ok) entries.push(parsed.entry);
  });
  for await (const piece of read()) splitter.push(piece);
  splitter.end();
  if (isEnough(entries)) return entries;
  const migrated = await migratedText(read);
  const contents =
    migrated === undefined ? await readEntriesFrom(read()) : readEntries(new TextEncoder().encode(migrated));
  return contents.entries;
}
