import type { FileSystem } from '../../ports';
import { TextDecodeError } from '../../ports';

export interface LineRange {
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly maxChars: number;
}

/** Takes the lines of a file one after the other and keeps those of a range, as far as they fit. */
export class LineWindow {
  readonly lines: string[] = [];
  /** All lines seen so far. */
  count = 0;
  /** The last line kept was too long and lost its end. */
  isLineCut = false;
  readonly #range: LineRange;
  #room: number;

  constructor(range: LineRange) {
    this.#range = range;
    this.#room = range.maxChars;
  }

  /** Whether no further line can be kept. */
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
    // A line is cut only when there is nothing before it; otherwise the next call can show it whole.
    if (this.lines.length === 0) {
      this.lines.push(line.slice(0, this.#room));
      this.isLineCut = true;
    }
    this.#room = 0;
  }
}

const CHUNK_BYTES = 256 * 1024;
/** What is kept of one line; a file without line ends must not be loaded whole after all. */
const MAX_LINE_CHARS = 100_000;

/**
 * Feeds a file that is too big to load to `window`, chunk by chunk, until it is full. Says whether the end was reached.
 * Rejects with `TextDecodeError` when it is not UTF-8.
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
