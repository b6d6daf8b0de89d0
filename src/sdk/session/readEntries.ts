import { isDeepStrictEqual } from 'node:util';
import { ENTRY_VERSION, type SessionEntry } from './entries';
import { parseEntry } from './parseEntry';
import { LineSplitter, type SplitLine } from './lineSplitter';
import { parseJson } from '../../util/json';

/** An unusable part of a session file. Its bytes stay in the file. */
export interface LogProblem {
  /** Counted from 1. */
  readonly line: number;
  /** `torn`: the end of the last line is missing · `unusable`: a bad field · `newer`: of a newer version. */
  readonly kind: 'torn' | 'corrupt' | 'duplicate' | 'unusable' | 'newer';
  readonly message: string;
  /** The file with a copy of the line, if one was made. */
  readonly keptIn?: string | undefined;
}

export interface LogContents {
  /** In file order. Each `parentId` is `null` or the id of an earlier entry. */
  readonly entries: readonly SessionEntry[];
  readonly problems: readonly LogProblem[];
  /** The bytes of the lines with a problem, by line, without line breaks. Not those of very long lines. */
  readonly unreadable: ReadonlyMap<number, Uint8Array>;
  /** `false`: the last line has no line break, so the next line must start with one. */
  readonly endsWithLineBreak: boolean;
  readonly byteLength: number;
  /** More than the `seq` of each entry. */
  readonly nextSeq: number;
}

/** More problems are counted only. */
const MAX_PROBLEMS = 10_000;
/** More bytes of unreadable lines are not held. */
const MAX_UNREADABLE_BYTES = 16 * 1024 * 1024;
const LINE_BREAK = 0x0a;

/**
 * Reads the bytes of a session file. Never throws. Reports unreadable lines and skips them; their children continue
 * from the entry before. So does an entry whose parent is missing or comes later, which makes cycles impossible.
 */
export function readEntries(bytes: Uint8Array): LogContents {
  const reader = new EntryReader();
  reader.push(bytes);
  return reader.end();
}

/** Like `readEntries`, for a file that is read in pieces. Rejects only if a piece cannot be read. */
export async function readEntriesFrom(pieces: AsyncIterable<Uint8Array>): Promise<LogContents> {
  const reader = new EntryReader();
  for await (const piece of pieces) reader.push(piece);
  return reader.end();
}

class EntryReader {
  readonly #splitter: LineSplitter;
  readonly #entries: SessionEntry[] = [];
  readonly #problems: LogProblem[] = [];
  readonly #unreadable = new Map<number, Uint8Array>();
  /** The place of each entry in `#entries`, by id. Made when an id may be one from before. */
  #places: Map<string, number> | undefined;
  /** The length of each entry's text. */
  readonly #lengths: number[] = [];
  #lastId: string | undefined;
  #lastSeq = -1;
  #unreadableBytes = 0;
  #problemCount = 0;
  #hasNewer = false;
  #lineCount = 0;
  #byteLength = 0;
  #lastByte = LINE_BREAK;

  constructor() {
    this.#splitter = new LineSplitter((line) => this.#read(line));
  }

  push(piece: Uint8Array): void {
    this.#byteLength += piece.length;
    this.#lastByte = piece.at(-1) ?? this.#lastByte;
    this.#splitter.push(piece);
  }

  end(): LogContents {
    this.#splitter.end();
    const omitted = this.#problemCount - this.#problems.length;
    if (omitted > 0) {
      const message = `${omitted} more lines have a problem`;
      this.#problems.push({ line: this.#lineCount, kind: 'corrupt', message });
    }
    return {
      entries: this.#entries,
      problems: this.#problems,
      unreadable: this.#unreadable,
      endsWithLineBreak: this.#lastByte === LINE_BREAK,
      byteLength: this.#byteLength,
      nextSeq: this.#lastSeq + 1,
    };
  }

  #read(line: SplitLine): void {
    this.#lineCount += 1;
    const whole = line.text;
    if (whole === undefined) {
      const megabytes = Math.round(line.byteLength / 1024 / 1024);
      return this.#report('corrupt', `too long to read: ${megabytes} MB. It stays in the file`, line);
    }
    const trimmed = whole.trim();
    const text = withoutZeros(trimmed);
    if (text !== trimmed) this.#report('corrupt', 'a block of zero bytes', line);
    if (text === '') return;
    const value = parseJson(text);
    if (value === undefined)
      return this.#report(line.isTorn ? 'torn' : 'corrupt', `not readable: ${excerpt(text)}`, line);
    const parsed = parseEntry(value);
    if (!parsed.ok) return this.#report('corrupt', parsed.error, line);
    this.#add(parsed.entry, parsed.problem, text, line);
  }

  #add(entry: SessionEntry, problem: string | undefined, text: string, line: SplitLine): void {
    const { id, parentId, seq, v } = entry;
    const isNext = parentId === this.#lastId;
    // A writer counts on with each new id. So only a line that does not count on can have an id from before.
    if (seq <= this.#lastSeq || !(isNext || parentId === null)) this.#places ??= placesOf(this.#entries);
    const place = this.#places?.get(id);
    if (place !== undefined) return this.#addAgain(entry, place, text, line);
    if (problem !== undefined) this.#report(v > ENTRY_VERSION ? 'newer' : 'unusable', problem, line);
    // One string for both ids: less to keep, and faster to compare.
    if (isNext) (entry as { parentId: string | null }).parentId = this.#lastId ?? null;
    const hasSoundParent = isNext || parentId === null || this.#places?.has(parentId) === true;
    this.#places?.set(id, this.#entries.length);
    this.#lengths.push(text.length);
    this.#lastId = id;
    if (seq > this.#lastSeq) this.#lastSeq = seq;
    this.#entries.push(hasSoundParent ? entry : { ...entry, parentId: this.#entries.at(-1)?.id ?? null });
  }

  /** A failed write that was repeated can leave the same line twice. Nothing is lost then. */
  #addAgain(entry: SessionEntry, place: number, text: string, line: SplitLine): void {
    const before = { ...this.#entries[place], parentId: entry.parentId };
    const isSame = this.#lengths[place] === text.length && isDeepStrictEqual(before, entry);
    if (!isSame) this.#report('duplicate', `the id ${entry.id} was used before`, line);
  }

  #report(kind: LogProblem['kind'], message: string, line: SplitLine): void {
    this.#problemCount += 1;
    // A newer line decides that the session is read-only, so the first one is always reported.
    const isFirstNewer = kind === 'newer' && !this.#hasNewer;
    this.#hasNewer ||= isFirstNewer;
    if (this.#problems.length >= MAX_PROBLEMS && !isFirstNewer) return;
    this.#problems.push({ line: this.#lineCount, kind, message });
    const { bytes } = line;
    if (!bytes || this.#unreadableBytes + bytes.length > MAX_UNREADABLE_BYTES) return;
    this.#unreadableBytes += bytes.length;
    this.#unreadable.set(this.#lineCount, Uint8Array.from(bytes));
  }
}

function placesOf(entries: readonly SessionEntry[]): Map<string, number> {
  return new Map(entries.map(({ id }, index) => [id, index]));
}

/** A crashed file system can leave a block of zeros before or after a good line. */
function withoutZeros(text: string): string {
  if (text.charCodeAt(0) !== 0 && text.charCodeAt(text.length - 1) !== 0) return text;
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(start, end).trim();
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
