/** Longer lines of a session file are not read. They stay in the file. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line without its line break. It is valid only during the call. A line that is too long has neither bytes nor text. */
export class SplitLine {
  readonly byteLength: number;
  /** The file ends without a line break after it. */
  readonly isTorn: boolean;
  readonly #buffer: Buffer | undefined;
  readonly #start: number;

  /** `buffer` holds the line from `start` on. */
  constructor(buffer: Buffer | undefined, start: number, byteLength: number, isTorn: boolean) {
    this.#buffer = buffer;
    this.#start = start;
    this.byteLength = byteLength;
    this.isTorn = isTorn;
  }

  get bytes(): Buffer | undefined {
    return this.#buffer?.subarray(this.#start, this.#start + this.byteLength);
  }

  /** Its bytes as UTF-8. Faster than with `bytes`, which is an object of its own. */
  get text(): string | undefined {
    return this.#buffer?.toString('utf8', this.#start, this.#start + this.byteLength);
  }
}

const LINE_BREAK = 0x0a;

/**
 * Splits a file into lines while it is read in pieces. Holds at most one unfinished line, and never more of it than
 * `maxBytes`.
 */
export class LineSplitter {
  readonly #onLine: (line: SplitLine) => void;
  readonly #maxBytes: number;
  /** The pieces of the unfinished line. Empty if it is too long. */
  #held: Buffer[] = [];
  #length = 0;

  constructor(onLine: (line: SplitLine) => void, maxBytes: number = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  /** The bytes of the unfinished line that are in memory. */
  get heldBytes(): number {
    return this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  push(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
      this.#endLine(bytes, start, end, false);
      start = end + 1;
    }
    if (start === bytes.length) return;
    this.#length += bytes.length - start;
    // The caller may use the memory of the piece again.
    if (this.#length <= this.#maxBytes) this.#held.push(Buffer.from(bytes.subarray(start)));
    else this.#held = [];
  }

  /** Reports the rest of the file, if it does not end with a line break. */
  end(): void {
    if (this.#length > 0) this.#endLine(Buffer.alloc(0), 0, 0, true);
  }

  /** The end of the line is in `bytes`, from `start` to before `end`. */
  #endLine(bytes: Buffer, start: number, end: number, isTorn: boolean): void {
    const byteLength = this.#length + end - start;
    const isHere = this.#length === 0;
    const isTooLong = byteLength > this.#maxBytes;
    const buffer = isHere || isTooLong ? bytes : Buffer.concat([...this.#held, bytes.subarray(start, end)]);
    this.#held = [];
    this.#length = 0;
    this.#onLine(new SplitLine(isTooLong ? undefined : buffer, isHere ? start : 0, byteLength, isTorn));
  }
}
