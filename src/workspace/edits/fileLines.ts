import { toPlain } from './typography';
import { BYTE_ORDER_MARK, lineEndOf, type LineEnd } from './lineEnds';

/** Turns a line into the text that it is compared by. */
export interface LineKey {
  readonly name: string;
  readonly of: (line: string) => string;
}

export const WHOLE_LINE: LineKey = { name: 'whole', of: (line) => line };
export const WITHOUT_TRAILING_SPACE: LineKey = { name: 'trailing', of: (line) => line.trimEnd() };
/** Trimmed, with plain quotes, and without entities. */
export const PLAIN_WITHOUT_INDENTATION: LineKey = { name: 'plain-trimmed', of: (line) => toPlain(line.trim()) };
export const WITHOUT_INDENTATION: LineKey = { name: 'trimmed', of: (line) => line.trim() };

interface KeyIndex {
  readonly idOf: ReadonlyMap<string, number>;
  /** For each line the id of its key. */
  readonly ids: Int32Array;
  /** The lines with each id, ascending. */
  readonly linesById: readonly (readonly number[])[];
}

/** The lines that are not blank. */
interface SolidLines {
  readonly lines: readonly number[];
  /** The ids of their keys. */
  readonly ids: Int32Array;
}

/**
 * The lines of a text, as offsets into it, so that the rest of the text stays unchanged in an edit. Lines count from 0. A
 * byte order mark belongs to no line, and a final newline starts no line. Indexes are built on first use.
 */
export class FileLines {
  readonly text: string;
  readonly count: number;
  readonly #starts: number[] = [];
  /** The offset of the end of each line's content, before its line end. */
  readonly #ends: number[] = [];
  readonly #indexes = new Map<string, KeyIndex>();
  readonly #solidLines = new Map<string, SolidLines>();
  #lineEnd: LineEnd | undefined;

  constructor(text: string) {
    this.text = text;
    let start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    while (start < text.length) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      this.#starts.push(start);
      this.#ends.push(newline > start && text[newline - 1] === '\r' ? newline - 1 : end);
      start = newline === -1 ? text.length : newline + 1;
    }
    this.count = this.#starts.length;
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** The offset after the line's content. */
  endOf(line: number): number {
    return this.#ends[line] ?? this.text.length;
  }

  /** Whether the file is one line and nothing else, as a file with a version is. */
  get hasOneLine(): boolean {
    return this.contentOf(0).trim() !== '' && (this.count === 1 || (this.count === 2 && this.contentOf(1) === ''));
  }

  contentOf(line: number): string {
    return this.text.slice(this.startOf(line), this.endOf(line));
  }

  /** The line end of a line; empty for a last line without one. */
  lineEndAfter(line: number): string {
    return this.text.slice(this.endOf(line), this.startOf(line + 1));
  }

  /** The text's more frequent line end. */
  get lineEnd(): LineEnd {
    return (this.#lineEnd ??= lineEndOf(this.text) ?? '\n');
  }

  /** The line that contains an offset. A line end belongs to its line. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  indexBy(key: LineKey): KeyIndex {
    const known = this.#indexes.get(key.name);
    if (known) return known;
    const idOf = new Map<string, number>();
    const ids = new Int32Array(this.count);
    const linesById: number[][] = [];
    for (let line = 0; line < this.count; line++) {
      const text = key.of(this.contentOf(line));
      let id = idOf.get(text);
      if (id === undefined) {
        id = linesById.length;
        idOf.set(text, id);
        linesById.push([]);
      }
      ids[line] = id;
      linesById[id]?.push(line);
    }
    const index = { idOf, ids, linesById };
    this.#indexes.set(key.name, index);
    return index;
  }

  /** The first line of each place that has these lines one after the other, by their keys. `lines` must not be empty. */
  find(lines: readonly string[], key: LineKey): readonly number[] {
    const { idOf, ids, linesById } = this.indexBy(key);
    const wanted = new Int32Array(lines.length);
    let rarest = 0;
    let fewest = Infinity;
    for (const [index, line] of lines.entries()) {
      const id = idOf.get(key.of(line));
      if (id === undefined) return [];
      wanted[index] = id;
      const places = linesById[id]?.length ?? 0;
      if (places >= fewest) continue;
      rarest = index;
      fewest = places;
    }
    const candidates = linesById[wanted[rarest] as number] ?? [];
    if (candidates.length * lines.length > 8 * (this.count + lines.length)) return findSequence(ids, wanted);
    const found: number[] = [];
    for (const candidate of candidates) {
      const start = candidate - rarest;
      if (start >= 0 && start + wanted.length <= ids.length && isAt(ids, wanted, start)) found.push(start);
    }
    return found;
  }

  /** As `find`, but ignores the blank lines of the file. Returns all lines of each place. */
  findSolid(wantedLines: readonly string[], key: LineKey): readonly (readonly number[])[] {
    const { idOf } = this.indexBy(key);
    const wanted = new Int32Array(wantedLines.length);
    for (const [index, line] of wantedLines.entries()) {
      const id = idOf.get(key.of(line));
      if (id === undefined) return [];
      wanted[index] = id;
    }
    const { lines, ids } = this.solidBy(key);
    return findSequence(ids, wanted).map((start) => lines.slice(start, start + wanted.length));
  }

  solidBy(key: LineKey): SolidLines {
    const known = this.#solidLines.get(key.name);
    if (known) return known;
    const { ids } = this.indexBy(key);
    const lines = Array.from({ length: this.count }, (_, line) => line).filter(
      (line) => this.contentOf(line).trim() !== '',
    );
    const solid = { lines, ids: Int32Array.from(lines, (line) => ids[line] as number) };
    this.#solidLines.set(key.name, solid);
    return solid;
  }
}

function isAt(ids: Int32Array, wanted: Int32Array, start: number): boolean {
  for (let index = 0; index < wanted.length; index++) if (ids[start + index] !== wanted[index]) return false;
  return true;
}

/** Finds all occurrences in linear time (Knuth, Morris, Pratt), also in repetitive texts. */
export function findSequence(ids: Int32Array, wanted: Int32Array): readonly number[] {
  const borders = new Int32Array(wanted.length);
  for (let index = 1, border = 0; index < wanted.length; index++) {
    while (border > 0 && wanted[index] !== wanted[border]) border = borders[border - 1] as number;
    if (wanted[index] === wanted[border]) border++;
    borders[index] = border;
  }
  const found: number[] = [];
  for (let index = 0, matched = 0; index < ids.length; index++) {
    while (matched > 0 && ids[index] !== wanted[matched]) matched = borders[matched - 1] as number;
    if (ids[index] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    found.push(index - wanted.length + 1);
    matched = borders[matched - 1] as number;
  }
  return found;
}
