import { ENTRY_VERSION, parseEntry, type SessionEntry } from './entries';

/** Something of a session file that could not be used. The bytes stay in the file. */
export interface LogProblem {
  /** 1-based. */
  readonly line: number;
  /** `torn`: the end of the last line is missing · `unusable`: sound, but with a bad field · `newer`: of a newer version. */
  readonly kind: 'torn' | 'corrupt' | 'duplicate' | 'unusable' | 'newer';
  readonly message: string;
}

export interface LogContents {
  /** In file order. Each `parentId` is `null` or the id of an earlier entry. */
  readonly entries: readonly SessionEntry[];
  readonly problems: readonly LogProblem[];
  /** False when the next line must start with a line break, because the last one has none. */
  readonly endsWithLineBreak: boolean;
  readonly byteLength: number;
}

const LINE_BREAK = 0x0a;

/**
 * Reads the bytes of a session file. Never throws: a line that cannot be read is passed over and reported, and what
 * hung on it goes on from the entry before it. So do entries with a parent that is missing or comes later, which
 * makes a cycle impossible.
 */
export function readEntries(bytes: Uint8Array): LogContents {
  const entries: SessionEntry[] = [];
  const problems: LogProblem[] = [];
  const lines = new Map<string, string>();
  // At once: a decoder for each line costs more than parsing it.
  const texts = new TextDecoder().decode(bytes).split('\n');
  texts.forEach((text, index) => readLine(text, { line: index + 1, isLast: index === texts.length - 1 }));
  const endsWithLineBreak = bytes.length === 0 || bytes.at(-1) === LINE_BREAK;
  return { entries, problems, endsWithLineBreak, byteLength: bytes.length };

  function readLine(raw: string, at: { readonly line: number; readonly isLast: boolean }): void {
    const report = (kind: LogProblem['kind'], message: string): unknown =>
      problems.push({ line: at.line, kind, message });
    const trimmed = raw.trim();
    const text = withoutZeros(trimmed).trim();
    if (text.length < trimmed.length) report('corrupt', 'a block of zero bytes');
    if (text === '') return;
    const value = parseJson(text);
    if (value === undefined) return void report(at.isLast ? 'torn' : 'corrupt', `not readable: ${excerpt(text)}`);
    const parsed = parseEntry(value);
    if (!parsed.ok) return void report('corrupt', parsed.error);
    const { entry } = parsed;
    const before = lines.get(entry.id);
    if (before !== undefined) {
      // A write that was reported as failed and repeated leaves the same line twice; that is no loss.
      if (before !== text) report('duplicate', `the id ${entry.id} was used before`);
      return;
    }
    if (parsed.problem !== undefined) report(entry.v > ENTRY_VERSION ? 'newer' : 'unusable', parsed.problem);
    const hasSoundParent = entry.parentId === null || lines.has(entry.parentId);
    lines.set(entry.id, text);
    entries.push(hasSoundParent ? entry : { ...entry, parentId: entries.at(-1)?.id ?? null });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file system that crashed can leave a block of zeros where data was being written, before or after a good line. */
function withoutZeros(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(start, end);
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
