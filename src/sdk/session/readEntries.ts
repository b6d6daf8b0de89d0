import { ENTRY_VERSION, parseEntry, type SessionEntry } from './entries';
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
  /** `false`: the last line has no line break, so the next line must start with one. */
  readonly endsWithLineBreak: boolean;
  readonly byteLength: number;
}

const LINE_BREAK = 0x0a;

/**
 * Reads the bytes of a session file. Never throws. Reports unreadable lines and skips them; their children continue
 * from the entry before. So does an entry whose parent is missing or comes later, which makes cycles impossible.
 */
export function readEntries(bytes: Uint8Array): LogContents {
  const reader = new LineReader();
  // Decodes everything at once: a decoder for each line would cost more than parsing it.
  const lines = new TextDecoder().decode(bytes).split('\n');
  const last = lines.length - 1;
  for (let index = 0; index <= last; index += 1) reader.read(lines[index] ?? '', index + 1, index === last);
  const { entries, problems } = reader;
  const endsWithLineBreak = bytes.length === 0 || bytes.at(-1) === LINE_BREAK;
  return { entries, problems, endsWithLineBreak, byteLength: bytes.length };
}

class LineReader {
  readonly entries: SessionEntry[] = [];
  readonly problems: LogProblem[] = [];
  /** The text of each entry, by id. */
  readonly #texts = new Map<string, string>();

  read(raw: string, line: number, isLast: boolean): void {
    const trimmed = raw.trim();
    const text = withoutZeros(trimmed);
    if (text !== trimmed) this.#report(line, 'corrupt', 'a block of zero bytes');
    if (text === '') return;
    const value = parseJson(text);
    if (value === undefined) return this.#report(line, isLast ? 'torn' : 'corrupt', `not readable: ${excerpt(text)}`);
    const parsed = parseEntry(value);
    if (!parsed.ok) return this.#report(line, 'corrupt', parsed.error);
    this.#add(parsed.entry, parsed.problem, text, line);
  }

  #add(entry: SessionEntry, problem: string | undefined, text: string, line: number): void {
    const { id, parentId, v } = entry;
    const texts = this.#texts;
    const before = texts.get(id);
    if (before !== undefined) {
      // A failed write that was repeated can leave the same line twice. Nothing is lost then.
      if (before !== text) this.#report(line, 'duplicate', `the id ${id} was used before`);
      return;
    }
    if (problem !== undefined) this.#report(line, v > ENTRY_VERSION ? 'newer' : 'unusable', problem);
    const hasSoundParent = parentId === null || texts.has(parentId);
    texts.set(id, text);
    this.entries.push(hasSoundParent ? entry : { ...entry, parentId: this.entries.at(-1)?.id ?? null });
  }

  #report(line: number, kind: LogProblem['kind'], message: string): void {
    this.problems.push({ line, kind, message });
  }
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
