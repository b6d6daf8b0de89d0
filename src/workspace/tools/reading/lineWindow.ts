import type { FileSystem } from '../../ports';
import { TextDecodeError } from '../../ports';

export interface LineRange {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly maxChars: number;
}

/** Gets the lines of a file in order, and keeps the lines of a range while there is room. */
export class LineWindow {
  readonly lines: string[] = [];
  /** The number of lines so far. */
  count = 0;
  /** The last kept line was cut because it is too long. */
  isLineCut = false;
  readonly #range: LineRange;
  #room: number;

  constructor(range: LineRange) {
    this.#range = range;
    this.#room = range.maxChars;
  }

  /** No further line can be kept. */
  get isFull(): boolean {
    return this.#room <= 0 || this.count >= this.#range.endLine;
  }

  add(line: string): void {
    const isWanted = !this.isFull && this.count + 1 >= this.#range.startLine;
    this.count++;
    if (!isWanted) return;
    if (line.length < this.#room) {
      this.lines.push(line);
      this.#room -= line.length + 1;
      return;
    }
    // Only a first line is cut. The next call can show any other line in full.
    if (this.lines.length === 0) {
      this.lines.push(line.slice(0, this.#room));
      this.isLineCut = true;
    }
    this.#room = 0;
  }
}

const CHUNK_BYTES = 256 * 1024;
/** How much of one line is kept: a file without line ends must not be loaded in full. */
const MAX_LINE_CHARS = 100_000;

/**
 * Adds the lines of a file that is too big to load to `window`, until it is full. `reachedEnd`: all lines were added.
 * Rejects with `TextDecodeError` if the file is not UTF-8.
 */
export async function streamLines(
  file: string,
  fileSystem: Pick<FileSystem, 'readSlice'>,
  window: LineWindow,
  signal: AbortSignal,
): Promise<{ readonly reachedEnd: boolean }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for (let offset = 0; ;) {
    const chunk = await fileSystem.readSlice(file, offset, CHUNK_BYTES);
    signal.throwIfAborted();
    offset += chunk.byteLength;
    const isLast = chunk.byteLength < CHUNK_BYTES;
    const lines = (rest + decode(decoder, chunk, !isLast, file)).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) {
      if (window.isFull) return { reachedEnd: false };
      window.add(line.replace(/\r$/, ''));
    }
    if (!isLast) continue;
    if (rest === '') return { reachedEnd: true };
    if (window.isFull) return { reachedEnd: false };
    window.add(rest);
    return { reachedEnd: true };
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, isMore: boolean, file: string): string {
  try {
    return decoder.decode(chunk, { stream: isMore });
  } catch (error) {
    throw new TextDecodeError(`${file} is not UTF-8 text.`, { cause: error });
  }
}
