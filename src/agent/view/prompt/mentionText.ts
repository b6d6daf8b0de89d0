import { withoutEnding } from '../../../util/text/withoutEnding';

/** A file, folder or other context that a prompt names: `@src/app.ts`, `@src/app.ts:10-20`, `@"a name with spaces.md"`. */
export interface Mention {
  readonly path: string;
  /** 1-based, inclusive. Absent: as much of the file as one read returns. */
  readonly lines?: { readonly start: number; readonly end: number } | undefined;
}

interface WrittenMention {
  /** The name, with its lines. */
  readonly name: string;
  /** As the text has it, without a punctuation mark after it. */
  readonly written: string;
  /** The index of its `@`. */
  readonly start: number;
}

/** The text that names a file or folder in a prompt; `undefined`: its name cannot be written. */
export function mentionOf(path: string, lines?: Mention['lines']): string | undefined {
  const range = lines ? `:${lines.start}${lines.end === lines.start ? '' : `-${lines.end}`}` : '';
  const mention = writeMention(`${path}${range}`);
  const [found, ...others] = findMentions(mention);
  return found?.path === path && others.length === 0 ? mention : undefined;
}

/** A name as a prompt has it: in quotes where a blank would end it. */
export function writeMention(name: string): string {
  return /[\s"]/.test(name) ? `@"${name}"` : `@${name}`;
}

/** The mentions in a text, each once, in order. The files need not exist. */
export function findMentions(text: string, isTaken: (name: string) => boolean = () => false): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const { name } of mentionsIn(text)) if (!isTaken(firstPart(name))) found.set(name, readName(name));
  return [...found.values()];
}

/** The mentions as the text has them, each once, in order: `@src/app.ts:3`. */
export function writtenMentions(text: string): readonly string[] {
  return [...new Set(Array.from(mentionsIn(text), ({ written }) => written))];
}

/** The text without all its mentions of this name, and without the blank after each. */
export function withoutMention(text: string, mention: string): string {
  let rest = '';
  let end = 0;
  for (const { written, start } of mentionsIn(text)) {
    if (written !== mention) continue;
    rest += text.slice(end, start);
    end = start + written.length;
    if (text.charAt(end) === ' ' && (rest === '' || /\s$/.test(rest))) end += 1;
  }
  return rest + text.slice(end);
}

/** The part of a name before its first colon: an MCP server, or one of our own sources. */
export function firstPart(name: string): string {
  return name.split(':', 1)[0] ?? '';
}

/** A name with its lines. */
export function readName(name: string): Mention {
  const [, path = name, first, last = first] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(name) ?? [];
  return { path, ...(first !== undefined && { lines: { start: Number(first), end: Number(last) } }) };
}

/** All mentions in order. */
export function* mentionsIn(text: string): Generator<WrittenMention> {
  for (const { 1: quoted, 2: bare = '', index } of text.matchAll(/(?<!\S)@(?:"([^"\n]+)"|([^\s"]+))/g)) {
    const name = quoted ?? withoutEnding(bare, `.,;!?)]'"`);
    if (name !== '') yield { name, written: quoted === undefined ? `@${name}` : `@"${name}"`, start: index };
  }
}
