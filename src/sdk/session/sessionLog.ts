import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { ENTRY_VERSION, type EntryBody, type EntryOf, type SessionEntry } from './entries';
import { entryLine } from './parseEntry';
import { MAX_LINE_BYTES } from './lineSplitter';
import type { LogLock } from './logLock';
import type { LogFile, LogStorage } from './logStorage';
import { readEntriesFrom, type LogContents, type LogProblem } from './readEntries';
import { asError } from '../../util/errors';

export interface SessionLogParts {
  readonly path: string;
  readonly storage: LogStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Makes an unused id. */
  readonly newId: () => string;
  /** Gets the errors of listeners. */
  readonly onListenerError: (error: unknown) => void;
  /** Keeps other processes from writing the file. The log releases it. */
  readonly lock?: LogLock | undefined;
  /** Repeats failed writes. Absent: only the next entry does. */
  readonly setTimer?: ((run: () => void, delayMs: number) => Disposable) | undefined;
  /** The session is only read. Appending an entry is a bug. */
  readonly isReadOnly?: boolean | undefined;
}

/** The place of a new entry. By default it follows the newest. */
export interface AppendPlace {
  readonly id?: string | undefined;
  /** Another parent than the newest entry starts a branch. */
  readonly parentId?: string | null | undefined;
}

/** The text of an entry, or of several. */
interface Line {
  readonly text: string;
  /** It was written again because the first time may not have reached the disk. */
  isRepeated: boolean;
}

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;
/** Entries that are written again are written in pieces of about so many characters. */
const TOGETHER = 1024 * 1024;

/**
 * One session's file, which only this object appends to. Nothing is ever rewritten. Each entry is one write, in order.
 * After a failed write the entries stay in memory and are written with the next one, or after a while. The first entry
 * creates the file and its folders. If somebody deletes, replaces or cuts the file, all entries are written again.
 */
export class SessionLog {
  readonly path: string;
  /** The parts of the file that could not be read. */
  readonly problems: readonly LogProblem[];
  readonly #parts: SessionLogParts;
  readonly #writeStates: Emitter<Error | undefined>;
  readonly #entries: SessionEntry[];
  #unwritten: Line[] = [];
  /** Written, but perhaps not on disk yet. */
  #unsynced: Line[] = [];
  #seq: number;
  #file: LogFile | undefined;
  /** Known length of the file. */
  #size: number;
  #needsLineBreak: boolean;
  /** The file was deleted or replaced while it was open. */
  #isReplaced = false;
  /** The unwritten rest of the current line. */
  #rest: Uint8Array | undefined;
  /** The last write failed, so a part of `#rest` may be in the file. */
  #isDoubtful = false;
  #writing: Promise<void> = Promise.resolve();
  #error: Error | undefined;
  #retry: Disposable | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isClosed = false;

  constructor(parts: SessionLogParts, contents: LogContents) {
    this.path = parts.path;
    this.problems = contents.problems;
    this.#parts = parts;
    this.#writeStates = new Emitter(parts.onListenerError);
    this.#entries = [...contents.entries];
    this.#seq = contents.nextSeq;
    this.#size = contents.byteLength;
    this.#needsLineBreak = !contents.endsWithLineBreak;
  }

  /** Reads the file; a missing file is an empty session. Rejects when the file exists and cannot be read at all. */
  static async open(parts: SessionLogParts): Promise<SessionLog> {
    return new SessionLog(parts, await loadEntries(parts.path, parts.storage));
  }

  /** Emits the error when writing starts to fail, and `undefined` when everything is on file again. */
  get onWriteState(): Emitter<Error | undefined>['on'] {
    return this.#writeStates.on;
  }

  /** In file order, including unwritten entries. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  /** The error that keeps the newest entries in memory, if any. */
  get writeError(): Error | undefined {
    return this.#error;
  }

  /** Adds an entry and starts writing it. `flush` and `sync` wait for it. */
  append<T extends EntryBody>(body: T, place: AppendPlace = {}): EntryOf<T['type']> {
    if (this.#isClosed) throw new Error(`The session file ${this.path} is closed.`);
    if (this.#parts.isReadOnly) throw new Error(`The session file ${this.path} is only read here.`);
    const { now, newId } = this.#parts;
    const entry = {
      v: ENTRY_VERSION,
      id: place.id ?? newId(),
      parentId: place.parentId === undefined ? (this.#entries.at(-1)?.id ?? null) : place.parentId,
      seq: this.#seq,
      ts: now(),
      ...body,
    };
    const text = `${JSON.stringify(entry)}\n`;
    if (Buffer.byteLength(text) > MAX_LINE_BYTES)
      throw new Error(`An entry of the session is too large: ${body.type}.`);
    this.#seq += 1;
    this.#entries.push(entry);
    this.#unwritten.push({ text, isRepeated: false });
    void this.#enqueue(() => this.#drain());
    return entry as unknown as EntryOf<T['type']>;
  }

  /** Waits until all entries are with the operating system. Resolves to the error that keeps them in memory, if any. */
  async flush(): Promise<Error | undefined> {
    await this.#enqueue(() => this.#drain());
    return this.#error;
  }

  /** Like `flush`, but waits until the entries are on disk. Call it at the end of a turn and before side effects. */
  async sync(): Promise<Error | undefined> {
    await this.#enqueue(() => this.#drainAndSync());
    return this.#error;
  }

  /** Writes the rest, closes the file and releases the lock. */
  async close(): Promise<Error | undefined> {
    if (this.#isClosed) return this.#error;
    this.#isClosed = true;
    await this.sync();
    this.#retry?.dispose();
    await this.#enqueue(async () => {
      await this.#closeFile();
      try {
        await this.#parts.lock?.release();
      } catch (error) {
        this.#parts.onListenerError(error);
      }
    });
    return this.#error;
  }

  #enqueue(work: () => Promise<unknown>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      await work();
    });
    return this.#writing;
  }

  async #drain(): Promise<void> {
    if (this.#unwritten.length > 0 && !(await this.#attempt(() => this.#openFile()))) return;
    while (this.#unwritten.length > 0) {
      const [line] = this.#unwritten;
      if (!line || !(await this.#attempt(() => this.#write(line.text)))) return;
      this.#unwritten.shift();
      this.#unsynced.push(line);
    }
    this.#recovered();
  }

  async #drainAndSync(): Promise<void> {
    await this.#drain();
    if (this.#unwritten.length > 0 || this.#unsynced.length === 0) return;
    if (await this.#attempt(() => this.#syncFile())) {
      // The file was replaced at this moment.
      if (this.#unwritten.length > 0) return this.#drainAndSync();
      this.#unsynced = [];
      return this.#recovered();
    }
    // After a failed sync the system may have dropped written data, and a second sync would not report it. So the
    // lines are written again. A line that is there twice is read once.
    const lost = this.#unsynced.filter(({ isRepeated }) => !isRepeated);
    for (const line of lost) line.isRepeated = true;
    this.#unsynced = this.#unsynced.filter((line) => !lost.includes(line));
    this.#unwritten.unshift(...lost);
    this.#needsLineBreak = true;
  }

  /** Opens the file, if it is not open. Queues all entries again if the file does not hold them any more. */
  async #openFile(): Promise<void> {
    await this.#parts.lock?.acquire();
    if (this.#file) {
      if (await this.#file.isCurrent()) return;
      this.#isReplaced = true;
      await this.#closeFile();
    }
    this.#file = await this.#parts.storage.openForAppend(this.path);
    const size = await this.#file.size();
    if (this.#isReplaced || size < this.#size) this.#queueAll(size);
  }

  /** An entry that is in the file twice is read once. */
  #queueAll(size: number): void {
    this.#unwritten = [];
    let text = '';
    for (const [index, entry] of this.#entries.entries()) {
      text += `${entryLine(entry)}\n`;
      if (text.length < TOGETHER && index < this.#entries.length - 1) continue;
      this.#unwritten.push({ text, isRepeated: true });
      text = '';
    }
    this.#isReplaced = false;
    this.#unsynced = [];
    this.#rest = undefined;
    this.#isDoubtful = false;
    this.#needsLineBreak = size > 0;
    this.#size = size;
  }

  async #write(text: string): Promise<void> {
    await this.#parts.lock?.acquire();
    const file = this.#file;
    if (!file) throw new Error(`The session file ${this.path} is not open.`);
    this.#rest ??= encoder.encode(this.#needsLineBreak ? `\n${text}` : text);
    if (this.#isDoubtful) await this.#resume(text);
    while (this.#rest.length > 0) {
      this.#isDoubtful = true;
      const written = await file.write(this.#rest);
      if (written === 0) throw new Error(`Nothing could be written to ${this.path}.`);
      this.#isDoubtful = false;
      this.#size += written;
      this.#rest = this.#rest.subarray(written);
    }
    this.#rest = undefined;
    this.#needsLineBreak = false;
  }

  /** Finds out how much of the line a failed write left in the file, and continues from there. */
  async #resume(text: string): Promise<void> {
    const tail = Buffer.from(await this.#parts.storage.readFrom(this.path, this.#size));
    const isOurs = this.#rest !== undefined && tail.equals(this.#rest.subarray(0, tail.length));
    if (isOurs) this.#rest = this.#rest?.subarray(tail.length);
    else this.#rest = encoder.encode(tail.at(-1) === LINE_BREAK ? text : `\n${text}`);
    this.#size += tail.length;
    this.#isDoubtful = false;
  }

  async #syncFile(): Promise<void> {
    await this.#openFile();
    await this.#file?.sync();
  }

  /** Runs a step that may fail. Opens the file anew after a failure, because the disk may have been away. */
  async #attempt(step: () => Promise<unknown>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (cause) {
      const error = asError(cause);
      const isNew = this.#error?.message !== error.message;
      this.#error = error;
      await this.#closeFile();
      this.#tryLater();
      if (isNew) this.#writeStates.emit(error);
      return false;
    }
  }

  #recovered(): void {
    this.#retry?.dispose();
    this.#retry = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    if (!this.#error) return;
    this.#error = undefined;
    this.#writeStates.emit(undefined);
  }

  #tryLater(): void {
    if (this.#retry || this.#isClosed) return;
    this.#retry = this.#parts.setTimer?.(() => {
      this.#retry = undefined;
      void this.#enqueue(() => this.#drainAndSync());
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.close();
    } catch (error) {
      // Every entry is written or still in memory, and the system has closed the file.
      this.#parts.onListenerError(error);
    }
  }
}

/** Reads a session file without opening it for writing. */
export async function loadEntries(path: string, storage: LogStorage): Promise<LogContents> {
  return readEntriesFrom(storage.read(path));
}

const encoder = new TextEncoder();
const LINE_BREAK = 0x0a;
