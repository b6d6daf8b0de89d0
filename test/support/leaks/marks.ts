import { createHash } from 'node:crypto';

/** Two worlds that differ only in what must not be known. */
export type Variant = 'one' | 'other';

/** Letters that no file, path or message of a test has by chance. */
export const MARK_LENGTH = 24;
/** A part of this length is searched for too: a leak may be cut. */
const PART = 8;

/** The mark of a file: random letters, the same for the same name, variant and seed. */
export function markOf(name: string, variant: Variant, seed: number): string {
  const digest = createHash('sha256').update(`${seed}\0${variant}\0${name}`).digest();
  return Array.from(digest.subarray(0, MARK_LENGTH), (byte) => String.fromCodePoint(97 + (byte % 26))).join('');
}

export interface Mark {
  /** The file that holds it. */
  readonly name: string;
  readonly text: string;
}

/** A mark that was found, and how it was written there. */
export interface FoundMark {
  readonly name: string;
  readonly form: string;
  /** The text around it, to find the place. */
  readonly around: string;
}

/** Finds marks in texts, whole or in part, plain or in the usual encodings. */
export class MarkSearch {
  readonly #names = new Map<string, { readonly name: string; readonly form: string }>();
  readonly #pattern: RegExp;

  constructor(marks: readonly Mark[]) {
    for (const { name, text } of marks) {
      for (const [form, words] of formsOf(text)) for (const word of words) this.#names.set(word, { name, form });
    }
    this.#pattern = new RegExp([...this.#names.keys()].join('|') || '(?!)', 'g');
  }

  /** The marks in a text, each file once. */
  find(text: string): readonly FoundMark[] {
    const found = new Map<string, FoundMark>();
    for (const [view, shown] of viewsOf(text)) {
      for (const match of shown.matchAll(this.#pattern)) {
        const { name, form } = this.#names.get(match[0])!;
        const around = shown.slice(Math.max(0, match.index - 120), match.index + 60);
        if (!found.has(name)) found.set(name, { name, form: view === '' ? form : `${form}, ${view}`, around });
      }
    }
    return [...found.values()];
  }
}

/** Every way in which a mark is searched for, with its first and its last letters. */
function formsOf(text: string): readonly (readonly [form: string, words: readonly string[]])[] {
  const parts = [text.slice(0, PART), text.slice(-PART)];
  const reversed = [...text].reverse().join('');
  return [
    ['plain', parts],
    ['reversed', [reversed.slice(0, PART), reversed.slice(-PART)]],
    ['in capitals', parts.map((part) => part.toUpperCase())],
    ['as base64', [0, 1, 2].map((shift) => base64At(text, shift))],
    ['as hex', parts.map((part) => Buffer.from(part).toString('hex'))],
    ['as hex in capitals', parts.map((part) => Buffer.from(part).toString('hex').toUpperCase())],
  ];
}

/** The middle of the base64 text of a longer text that has the mark after `shift` bytes. */
function base64At(text: string, shift: number): string {
  const encoded = Buffer.from('x'.repeat(shift) + text).toString('base64');
  // Characters at both ends depend on the neighbours.
  return encoded.slice(4, -4);
}

/** A text as it is, and without what can hide a mark in it. */
function viewsOf(text: string): readonly (readonly [view: string, text: string])[] {
  const views: [string, string][] = [['', text]];
  const add = (view: string, changed: string): void => {
    if (changed !== text) views.push([view, changed]);
  };
  add('with hidden characters', text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, ''));
  add('with NULs', text.replaceAll(/\0|\\u0000|\\0|\\x00/g, ''));
  add(
    'with escapes',
    text.replaceAll(/\\+u00([0-9a-f]{2})|\\+x([0-9a-f]{2})|%([0-9a-f]{2})/gi, (_, u?: string, x?: string, p?: string) =>
      String.fromCodePoint(Number.parseInt(u ?? x ?? p ?? '', 16)),
    ),
  );
  // A program that numbers, columns or quotes each letter.
  add('with spaces', text.replaceAll(/(?<=[a-z]) (?=[a-z](?: |$))/g, ''));
  return views;
}
