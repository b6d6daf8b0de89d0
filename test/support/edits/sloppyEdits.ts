import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TextEdit } from '../../../src/workspace/edits/matchEdit';
import { fixturePath } from '../files/fixturePath';
import { curl } from './kinds/characters';
import { numberings } from './kinds/wrapping';

const SOURCES = fixturePath('sources');

export interface Source {
  readonly name: string;
  readonly text: string;
}

export function readSources(): readonly Source[] {
  return readdirSync(SOURCES, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => ({
      name: file.replaceAll('\\', '/').replace(/\.txt$/, ''),
      text: readFileSync(path.join(SOURCES, file), 'utf8'),
    }));
}

/** An edit as it is meant: some lines of a file without line ends, and their replacement. */
export interface MeantEdit {
  readonly fileLines: readonly string[];
  readonly firstLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** An edit as a model writes it. */
export interface SloppyEdit extends TextEdit {
  /** The quoted lines, if the mistake changes their content: one for each meant line. */
  readonly quotedLines?: readonly string[] | undefined;
  /** The quote before its form was changed. */
  readonly saidText?: string | undefined;
}

export interface Misquote {
  readonly name: string;
  /** The fewest lines an edit needs for this mistake. */
  readonly minLines: number;
  /** The mistake omits or changes content, so its quote may exactly match other lines. */
  readonly isAltering?: boolean | undefined;
  /** Returns `undefined` if the edit has no place for this mistake. */
  readonly write: (edit: MeantEdit, random: () => number) => SloppyEdit | undefined;
}

/** Whether the quote shows the mistake. A mistake only in the new text cannot be noticed. */
export function isMisquote({ name }: Misquote, lines: readonly string[], oldText: string): boolean {
  if (name === 'missing final newline') return true;
  const quote = lines.join('\n');
  return oldText !== quote && oldText !== `${quote}\n`;
}

/** The whole file after the edit as it is meant. */
export function expectedText(text: string, { firstLine, oldLines, newLines }: MeantEdit): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const last = lines[firstLine + oldLines.length - 1] ?? '';
  const written = newLines.map((line, index) =>
    index + 1 === newLines.length && !last.endsWith('\n') ? line : `${line}\n`,
  );
  return [...lines.slice(0, firstLine), ...written, ...lines.slice(firstLine + oldLines.length)].join('');
}

/** A random edit of some lines of a file, in the style of the file. */
export function meanEdit(text: string, random: () => number, minLines: number): MeantEdit | undefined {
  const fileLines = text.replace(/\n$/, '').split('\n');
  const count = Math.min(fileLines.length, minLines + Math.floor(random() * 9));
  const firstLine = Math.floor(random() * (fileLines.length - count + 1));
  const oldLines = fileLines.slice(firstLine, firstLine + count);
  if (oldLines.filter((line) => line.trim() !== '').length < minLines) return undefined;
  const newLines = changeLines(oldLines, fileLines, random);
  return newLines && newLines.join('\n') !== oldLines.join('\n')
    ? { fileLines, firstLine, oldLines, newLines }
    : undefined;
}

function changeLines(
  oldLines: readonly string[],
  fileLines: readonly string[],
  random: () => number,
): readonly string[] | undefined {
  const at = Math.floor(random() * oldLines.length);
  const count = 1 + Math.floor(random() * Math.min(3, oldLines.length - at));
  const kind = random();
  if (kind < 0.3) {
    const line = oldLines[at] ?? '';
    const words = [...line.matchAll(/[A-Za-z_]{3,}/g)];
    const word = words[Math.floor(random() * words.length)];
    if (!word) return undefined;
    const changed = `${line.slice(0, word.index)}${word[0]}_${Math.floor(random() * 100)}${line.slice(word.index + word[0].length)}`;
    return oldLines.with(at, changed);
  }
  const near =
    oldLines.slice(at).find((line) => line.trim() !== '') ?? oldLines.find((line) => line.trim() !== '') ?? '';
  const borrowed = borrowLines(fileLines, near, random);
  if (kind < 0.55) return oldLines.toSpliced(at, 0, ...borrowed);
  if (kind < 0.7) return oldLines.toSpliced(oldLines.length, 0, ...borrowed);
  if (kind < 0.85) return oldLines.toSpliced(at, count, ...borrowed);
  return oldLines.toSpliced(at, count);
}

/** One to three lines from another place in the file, with the indentation of `near` and one word changed. */
function borrowLines(fileLines: readonly string[], near: string, random: () => number): readonly string[] {
  const start = Math.floor(random() * fileLines.length);
  const lines = fileLines.slice(start, start + 1 + Math.floor(random() * 3)).filter((line) => line.trim() !== '');
  const indentation = /^\s*/.exec(near)?.[0] ?? '';
  const shared = commonIndentation(lines);
  return (lines.length > 0 ? lines : ['value = 1']).map(
    (line) =>
      indentation +
      line
        .slice(shared.length)
        .trimEnd()
        .replace(/[A-Za-z]{4,}/, (word) => `${word}${Math.floor(random() * 90) + 10}`),
  );
}

function commonIndentation(lines: readonly string[]): string {
  const all = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)?.[0] ?? '');
  return all.reduce((a, b) => {
    let length = 0;
    while (length < a.length && a[length] === b[length]) length++;
    return a.slice(0, length);
  }, all[0] ?? '');
}

const byLine =
  (change: (line: string, index: number) => string): Misquote['write'] =>
  ({ oldLines, newLines }, random) => {
    const end = endFor(oldLines, newLines, random);
    return { oldText: joined(oldLines.map(change), end), newText: joined(newLines.map(change), end) };
  };

/** Keeps the line end after a blank last line: without it the line disappears and the edit differs. */
function endFor(oldLines: readonly string[], newLines: readonly string[], random: () => number): string {
  const endsBlank = oldLines.at(-1)?.trim() === '' || newLines.at(-1)?.trim() === '';
  return random() < 0.7 || endsBlank ? '\n' : '';
}

function joined(lines: readonly string[], end: string, lineEnd = '\n'): string {
  return lines.length === 0 ? '' : lines.join(lineEnd) + end;
}

const byText =
  (change: (text: string) => string): Misquote['write'] =>
  ({ oldLines, newLines }, random) => {
    const end = endFor(oldLines, newLines, random);
    return { oldText: change(joined(oldLines, end)), newText: change(joined(newLines, end)) };
  };

function hashOf(text: string): number {
  let hash = 7;
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) | 0;
  return Math.abs(hash);
}

const FENCES = ['', 'ts', 'python', 'yaml', 'c++'];

function escapeHtml(text: string, isProper: boolean): string {
  const start = isProper ? text.replaceAll('&', '&amp;') : text;
  return start.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)] as T;

/** The index of a new line in the old text, if the edit only changes lines. */
function newLineOf({ oldLines, newLines }: MeantEdit, line: string): number {
  return oldLines.length === newLines.length ? newLines.indexOf(line) : -1;
}

/** The ways in which models misquote files. */
export const misquotes: readonly Misquote[] = [
  {
    name: 'trailing spaces',
    minLines: 1,
    write: byLine((line) => (hashOf(line) % 3 === 0 ? line : line + ' '.repeat(1 + (hashOf(line) % 3)))),
  },
  {
    name: 'missing final newline',
    minLines: 1,
    write: ({ oldLines, newLines }) => {
      // A blank last line disappears without its line end, and the edit would differ.
      if (oldLines.at(-1)?.trim() === '' || newLines.at(-1)?.trim() === '') return undefined;
      return { oldText: joined(oldLines, ''), newText: joined(newLines, '') };
    },
  },
  {
    name: 'dedented block',
    minLines: 1,
    write: (edit, random) => {
      const shared = commonIndentation([...edit.oldLines, ...edit.newLines]).length;
      if (shared === 0) return undefined;
      return byLine((line) => line.slice(shared))(edit, random);
    },
  },
  {
    name: 'tabs as spaces',
    minLines: 1,
    write: (edit, random) => {
      const width = pick([2, 4, 8], random);
      return byLine((line) => line.replace(/^\t+/, (tabs) => ' '.repeat(width * tabs.length)))(edit, random);
    },
  },
  {
    name: 'spaces as tabs',
    minLines: 1,
    write: (edit, random) => {
      const widths = edit.fileLines.map((line) => /^ */.exec(line)?.[0].length ?? 0).filter((width) => width > 1);
      const width = Math.min(...widths.filter((one) => one % 2 === 0));
      const use = widths.every((one) => one % 4 !== 2) ? 4 : width;
      return byLine((line) =>
        line.replace(/^ +/, (spaces) => '\t'.repeat(Math.floor(spaces.length / use)) + ' '.repeat(spaces.length % use)),
      )(edit, random);
    },
  },
  {
    name: 'line-number prefixes',
    minLines: 1,
    write: (edit, random) => {
      const numbering = pick(numberings, random);
      return byLine((line, index) => numbering(edit.firstLine + 1 + index, line))(edit, random);
    },
  },
  {
    name: 'CRLF',
    minLines: 1,
    write: ({ oldLines, newLines }, random) => {
      const end = endFor(oldLines, newLines, random) === '' ? '' : '\r\n';
      return { oldText: joined(oldLines, end, '\r\n'), newText: joined(newLines, end, '\r\n') };
    },
  },
  {
    name: 'one letter wrong in a block',
    minLines: 3,
    isAltering: true,
    write: (edit, random) => {
      const { oldLines } = edit;
      const at = Math.floor(random() * oldLines.length);
      const line = oldLines[at] ?? '';
      const letters = [...line.matchAll(/[A-Za-z]/g)];
      const letter = letters[Math.floor(random() * letters.length)];
      if (!letter) return undefined;
      const wrong = pick([() => '', () => letter[0] + letter[0], () => (letter[0] === 'x' ? 'y' : 'x')], random)();
      const [before, after] = [line.slice(0, letter.index), line.slice(letter.index + 1)];
      const carries = random() < 0.5;
      const change = (text: string): string => {
        if (text === line && oldLines.indexOf(line) === oldLines.lastIndexOf(line)) return before + wrong + after;
        // A changed version of the line keeps the mistake if it keeps the text around it.
        const isVersion =
          !oldLines.includes(text) &&
          carries &&
          text.startsWith(line.slice(0, letter.index + 1)) &&
          text.slice(-5) === line.slice(-5) &&
          newLineOf(edit, text) === at &&
          text !== line &&
          before.trim() !== '';
        return isVersion ? before + wrong + text.slice(letter.index + 1) : text;
      };
      const quotedLines = oldLines.with(at, before + wrong + after);
      return {
        oldText: joined(quotedLines, '\n'),
        newText: joined(edit.newLines.map(change), '\n'),
        quotedLines,
      };
    },
  },
  {
    name: 'a blank line dropped',
    minLines: 2,
    isAltering: true,
    write: ({ oldLines, newLines }, random) => {
      const isBlank = (line: string): boolean => line.trim() === '';
      const [first, last] = [
        oldLines.findIndex((line) => !isBlank(line)),
        oldLines.findLastIndex((line) => !isBlank(line)),
      ];
      // Dropping one of several blank lines at an end would leave an exact quote.
      const blanks = oldLines.flatMap((line, index) => (isBlank(line) && index > first && index < last ? [index] : []));
      const at = blanks[Math.floor(random() * blanks.length)];
      if (at === undefined) return undefined;
      const oldText = joined(oldLines.toSpliced(at, 1), '\n');
      // An edit cannot remove a blank line that it does not quote.
      const countBlank = (lines: readonly string[]): number => lines.filter((line) => line.trim() === '').length;
      if (countBlank(newLines) < countBlank(oldLines)) return undefined;
      const isInBoth = random() < 0.5;
      const places = newLines.flatMap((line, index) =>
        line === oldLines[at] && newLines[index - 1] === oldLines[at - 1] && newLines[index + 1] === oldLines[at + 1]
          ? [index]
          : [],
      );
      const before = places.length === 1 ? (places[0] ?? -1) : -1;
      return { oldText, newText: joined(isInBoth && before !== -1 ? newLines.toSpliced(before, 1) : newLines, '\n') };
    },
  },
  {
    name: 'wrapped in a code fence',
    minLines: 1,
    write: ({ oldLines, newLines }, random) => {
      const language = pick(FENCES, random);
      const end = random() < 0.5 ? '\n' : '';
      const wrap = (lines: readonly string[]): string => ['```' + language, ...lines, '```'].join('\n') + end;
      return { oldText: wrap(oldLines), newText: wrap(newLines) };
    },
  },
  {
    name: 'HTML entities',
    minLines: 1,
    write: (edit, random) => {
      const isProper = random() < 0.5;
      return byText((text) => escapeHtml(text, isProper))(edit, random);
    },
  },
  { name: 'curly quotes', minLines: 1, write: byText(curl) },
  {
    name: 'escaped quotes and newlines',
    minLines: 1,
    write: (edit, random) => {
      const style = random();
      if (style < 0.5) return byText((text) => JSON.stringify(text).slice(1, -1))(edit, random);
      if (style < 0.75) return byText((text) => text.replaceAll('"', '\\"').replaceAll('\n', '\\n'))(edit, random);
      return byText((text) => text.replaceAll('"', '\\"'))(edit, random);
    },
  },
];
