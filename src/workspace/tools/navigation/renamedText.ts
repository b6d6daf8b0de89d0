import type { ChangedCode, CodeChange } from '../../codeNavigation';

export type Renamed = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

const LINE_END = /\r\n|\r|\n/;

/**
 * Makes the changes of a language server in a text, which may have other line ends and a byte order mark. Untouched bytes
 * stay. Refuses anything that could hurt: changes of another text, that overlap, or of other words than the name. The
 * error completes a sentence that names the file.
 */
export function renamedText(text: string, { changes, text: seen }: Omit<ChangedCode, 'path'>, name: string): Renamed {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const isSame = lines(text.slice(mark)).join('\n') === lines(withoutMark(seen)).join('\n');
  if (!isSame) return refuse('was changed while the language server looked at it');
  const starts = lineStarts(text, mark);
  const edits: Edit[] = [];
  for (const change of changes) {
    const edit = placed(change, text, starts);
    if (!edit) return refuse('has no such place as the language server names');
    if (!isAtName(edit, text, name)) return refuse(`would change in places that are not "${name}"`);
    if (!edits.some((known) => isSameEdit(known, edit))) edits.push(edit);
  }
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let renamed = '';
  let end = 0;
  let last: Edit | undefined;
  for (const edit of sorted) {
    // Two insertions at one place: nobody knows their order.
    if (edit.start < end || (last && last.start === edit.start)) return refuse('gets changes that overlap');
    renamed += text.slice(end, edit.start) + edit.text;
    end = edit.end;
    last = edit;
  }
  renamed += text.slice(end);
  // A line that becomes empty may join the line ends around it.
  if (lines(renamed).length !== starts.length) return refuse('would get other lines');
  return { ok: true, text: renamed };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `undefined`: the text has no such place, or the change has several lines. */
function placed(change: CodeChange, text: string, starts: readonly Line[]): Edit | undefined {
  const start = offsetOf(change.startLine, change.startCharacter, starts);
  const end = offsetOf(change.endLine, change.endCharacter, starts);
  if (start === undefined || end === undefined || end < start) return undefined;
  if (LINE_END.test(change.text) || LINE_END.test(text.slice(start, end))) return undefined;
  return { start, end, text: change.text };
}

interface Line {
  readonly start: number;
  /** Before its line end. */
  readonly end: number;
}

function offsetOf(line: number, character: number, starts: readonly Line[]): number | undefined {
  const found = starts[line - 1];
  if (!found || !Number.isInteger(character) || character < 0) return undefined;
  const offset = found.start + character;
  return offset <= found.end ? offset : undefined;
}

function lineStarts(text: string, from: number): readonly Line[] {
  const found: Line[] = [];
  let start = from;
  for (const match of text.slice(from).matchAll(/\r\n|\r|\n/g)) {
    const end = from + match.index;
    found.push({ start, end });
    start = end + match[0].length;
  }
  return [...found, { start, end: text.length }];
}

/** Whether the word around a change has the old name. A server may change a part of the word, or add words beside it. */
function isAtName({ start, end }: Edit, text: string, name: string): boolean {
  const before = /[\p{L}\p{N}_$#@-]*$/u.exec(text.slice(Math.max(0, start - MAX_WORD), start))?.[0] ?? '';
  const after = /^[\p{L}\p{N}_$-]*/u.exec(text.slice(end, end + MAX_WORD))?.[0] ?? '';
  return `${before}${text.slice(start, end)}${after}`.includes(name);
}

const MAX_WORD = 400;

function isSameEdit(one: Edit, other: Edit): boolean {
  return one.start === other.start && one.end === other.end && one.text === other.text && one.start < one.end;
}

function lines(text: string): readonly string[] {
  return text.split(LINE_END);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function refuse(error: string): Renamed {
  return { ok: false, error };
}
