import { Emitter } from '../../util/emitter';
import { ENTRY_VERSION, type EntryBody, type EntryOf, type SessionEntry } from './entries';
import type { LogFile, LogStorage } from './logStorage';
import { readEntries, type LogContents, type LogProblem } from './readEntries';

export interface SessionLogParts {
  readonly path: string;
  readonly storage: LogStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** An id that was never given before. */
  readonly newId: () => string;
  /** Gets what a listener throws. */
  readonly onListenerError: (error: unknown) => void;
}

/** How a new entry hangs together with the others; by default it goes on from the newest. */
export interface AppendPlace {
  readonly id?: string | undefined;
  /** Another parent than the newest entry starts a branch. */
  readonly parentId?: string | null | undefined;
}

/**
 * One session's file, open for appending by this object alone. Nothing is ever rewritten; each entry is one write, in
 * order. When a write fails the entries stay in memory and are written before the next one. The file and its folders
 * come into being with the first entry.
 */
export class SessionLog {
  readonly path: string;
  /** What could not be read of the file when it was opened. */
  readonly problems: readonly LogProblem[];
  readonly #parts: SessionLogParts;
  readonly #writeStates: Emitter<Error | undefined>;
  readonly #entries: SessionEntry[];
  readonly #unwritten: string[] = [];
  #seq: number;
  #file: LogFile | undefined;
  #needsLineBreak: boolean;
  #writing: Promise<void> = Promise.resolve();
  #error: Error | undefined;
  #isClosed = false;

  private constructor(parts: SessionLogParts, contents: LogContents) {
    this.path = parts.path;
    this.problems = contents.problems;
    this.#parts = parts;
    this.#writeStates = new Emitter(parts.onListenerError);
    this.#entries = [...contents.entries];
    this.#seq = this.#entries.reduce((highest, { seq }) => Math.max(highest, seq + 1), 0);
    this.#needsLineBreak = !contents.endsWithLineBreak;
  }

  /** Reads what is there; no file is an empty session. Rejects when the file exists and cannot be read at all. */
  static async open(parts: SessionLogParts): Promise<SessionLog> {
    return new SessionLog(parts, await loadEntries(parts.path, parts.storage));
  }

  /** Tells when writing starts to fail and, with `undefined`, when everything is on file again. */
  get onWriteState(): Emitter<Error | undefined>['on'] {
    return this.#writeStates.on;
  }

  /** In file order, those that could not be written included. */
  get entries(): readonly SessionEntry[] {
    return this.#entries;
  }

  /** Adds an entry and starts to write it; `flush` and `sync` wait for it. */
  append<T extends EntryBody>(body: T, place: AppendPlace = {}): EntryOf<T['type']> {
    if (this.#isClosed) throw new Error(`The session file ${this.path} is closed.`);
    const { now, newId } = this.#parts;
    const entry = {
      v: ENTRY_VERSION,
      id: place.id ?? newId(),
      parentId: place.parentId === undefined ? (this.#entries.at(-1)?.id ?? null) : place.parentId,
      seq: this.#seq,
      ts: now(),
      ...body,
    };
    this.#seq += 1;
    this.#entries.push(entry);
    this.#unwritten.push(`${JSON.stringify(entry)}\n`);
    void this.#enqueue(() => this.#drain());
    return entry as unknown as EntryOf<T['type']>;
  }

  /** Waits until what was appended is with the operating system. Answers the error that keeps it in memory, if any. */
  async flush(): Promise<Error | undefined> {
    await this.#enqueue(() => this.#drain());
    return this.#error;
  }

  /** Like `flush`, and waits until it is on the disk. Called at the end of a turn and before side effects. */
  async sync(): Promise<Error | undefined> {
    await this.#enqueue(async () => {
      await this.#drain();
      if (this.#unwritten.length === 0) await this.#attempt(() => this.#syncFile());
    });
    return this.#error;
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<Error | undefined> {
    if (this.#isClosed) return this.#error;
    this.#isClosed = true;
    await this.sync();
    await this.#enqueue(() => this.#release());
    return this.#error;
  }

  #enqueue(work: () => Promise<unknown>): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      await work();
    });
    return this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#unwritten[0] !== undefined) {
      const line = this.#unwritten[0];
      if (!(await this.#attempt(() => this.#write(line)))) return;
      this.#unwritten.shift();
    }
  }

  async #write(line: string): Promise<void> {
    this.#file ??= await this.#parts.storage.openForAppend(this.path);
    const bytes = encoder.encode(this.#needsLineBreak ? `\n${line}` : line);
    // Until this write is known to be whole, the file may end anywhere.
    this.#needsLineBreak = true;
    const written = await this.#file.write(bytes);
    if (written < bytes.length)
      throw new Error(`Only ${written} of ${bytes.length} bytes were written to ${this.path}.`);
    this.#needsLineBreak = false;
  }

  async #syncFile(): Promise<void> {
    if (this.#error) this.#file ??= await this.#parts.storage.openForAppend(this.path);
    await this.#file?.sync();
  }

  /** Runs a step that may fail. After a failure the file is opened anew: the disk may have been away. */
  async #attempt(step: () => Promise<unknown>): Promise<boolean> {
    try {
      await step();
    } catch (cause) {
      const isNew = this.#error === undefined;
      this.#error = cause instanceof Error ? cause : new Error(String(cause));
      await this.#release();
      if (isNew) this.#writeStates.emit(this.#error);
      return false;
    }
    if (this.#error && this.#unwritten.length <= 1) {
      this.#error = undefined;
      this.#writeStates.emit(undefined);
    }
    return true;
  }

  async #release(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.close();
    } catch (error) {
      this.#error ??= error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** Reads a session file without opening it for writing. */
export async function loadEntries(path: string, storage: LogStorage): Promise<LogContents> {
  return readEntries((await storage.read(path)) ?? new Uint8Array());
}

const encoder = new TextEncoder();
