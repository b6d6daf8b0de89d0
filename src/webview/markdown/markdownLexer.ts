import type { MarkdownIt, Token } from 'markdown-it';
import type { MarkdownBlock } from './markdownBlock';
import type { LinkBudget } from './markdownParser';
import { PlainBlocks } from './plainBlocks';

/** Text after this is shown plainly. */
const maxMarkdownCharacters = 100_000;
/** A block with more elements is shown plainly. */
const maxTokensOfBlock = 20_000;
/** Blocks after these are shown plainly, as one. */
const maxBlocks = 3_000;
/** With more definitions, each block with a bracket depends on all of them. */
const maxLabelsToSearch = 100;
/** Characters of all link addresses in one text. A short text can repeat a long address many times. */
const maxLinkCharacters = 300_000;
/** The title of a link definition can go over any number of lines. A longer one is not waited for. */
const maxTitleCharacters = 5_000;
/** A block is settled when this many complete lines follow it. The parser looks at two: the start of a table. */
const linesAfterSettled = 3;

/** A block with its place in the text, from `start` to before `end`. */
interface PlacedBlock extends MarkdownBlock {
  readonly start: number;
  readonly end: number;
  readonly linkCharacters: number;
}

type References = Readonly<Record<string, { readonly href: string }>>;

interface Environment extends LinkBudget {
  references: Record<string, { readonly href: string }>;
}

/**
 * Splits a growing text into blocks. The blocks of a text are the same whatever was given before; a text that continues
 * the text before costs only its last blocks. Never throws. The work for a text is bounded: a text that is too long, or
 * a block with too many elements, becomes a plain block. Nothing is left out.
 */
export class MarkdownLexer {
  readonly #parser: MarkdownIt;
  /** The settled part of the text: more text after it does not change its blocks, except their links. */
  #settled = '';
  #blocks: readonly PlacedBlock[] = [];
  #definitions: References = {};
  /** The definitions of the whole text, which the links of the settled blocks follow. */
  #references: References = {};
  #parsedCharacters = 0;
  /** The newest text without its plain end, and its blocks. A longer answer goes on with its plain end only. */
  #head = '';
  #headBlocks: readonly MarkdownBlock[] = [];
  /** The plain ends: of what is too long, of too many blocks, and of a text that could not be parsed. */
  readonly #tooLong = new PlainBlocks();
  readonly #tooMany = new PlainBlocks();
  readonly #unread = new PlainBlocks();

  constructor(parser: MarkdownIt) {
    this.#parser = parser;
  }

  /** The characters that were parsed so far. */
  get parsedCharacters(): number {
    return this.#parsedCharacters;
  }

  lex(text: string): readonly MarkdownBlock[] {
    const head = text.slice(0, maxMarkdownCharacters);
    const rest = text.slice(head.length);
    try {
      const blocks = this.#blocksOfHead(head);
      return rest === '' ? blocks : [...blocks, ...this.#tooLong.split(rest)];
    } catch (error) {
      this.#reset();
      if (!(error instanceof Error)) throw error;
      return this.#unread.split(text);
    }
  }

  #blocksOfHead(head: string): readonly MarkdownBlock[] {
    if (head !== this.#head) {
      this.#headBlocks = this.#bounded(this.#lexHead(head), head);
      this.#head = head;
    }
    return this.#headBlocks;
  }

  #bounded(blocks: readonly PlacedBlock[], text: string): readonly MarkdownBlock[] {
    const next = blocks[maxBlocks];
    return next === undefined
      ? blocks
      : [...blocks.slice(0, maxBlocks), ...this.#tooMany.split(text.slice(next.start))];
  }

  #lexHead(text: string): readonly PlacedBlock[] {
    if (!text.startsWith(this.#settled)) this.#reset();
    const start = this.#settled.length;
    const open = this.#parse(text.slice(start), start, this.#definitions);
    this.#follow(open.references);
    const used = linkCharactersOf(this.#blocks) + linkCharactersOf(open.blocks);
    if (used > maxLinkCharacters) {
      // Which links are dropped depends on all links before them.
      this.#reset();
      return this.#parse(text, 0, {}, maxLinkCharacters).blocks;
    }
    const blocks = [...this.#blocks, ...open.blocks];
    this.#settle(text, open.blocks, open.references);
    return blocks;
  }

  /** Settles the blocks that can no longer change. */
  #settle(text: string, open: readonly PlacedBlock[], references: References): void {
    const limit = startOfLastLines(text, linesAfterSettled);
    const next = open.findLast(
      (block, index) => index > 0 && block.start <= limit && !mayContinueTitle(text, this.#settled.length, block.start),
    );
    if (next === undefined) return;
    const chunk = text.slice(this.#settled.length, next.start);
    if (Object.keys(references).length > Object.keys(this.#definitions).length) {
      this.#definitions = this.#parse(chunk, 0, this.#definitions).references;
    }
    this.#blocks = [...this.#blocks, ...open.slice(0, open.indexOf(next))];
    this.#settled = text.slice(0, next.start);
  }

  /** Parses again the settled blocks that may name a definition that has changed. */
  #follow(references: References): void {
    const before = this.#references;
    this.#references = references;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(references)])].filter(
      (label) => before[label]?.href !== references[label]?.href,
    );
    if (changed.length === 0) return;
    this.#blocks = this.#blocks.map((block) => {
      if (mentioned(this.#parser, block.raw, changed).length === 0) return block;
      const again = this.#parse(this.#settled.slice(block.start, block.end), block.start, references).blocks;
      return again.length === 1 && again[0] ? again[0] : block;
    });
  }

  /** `start`: the place of `text` in the whole text. `maxLinks`: characters of addresses before links are dropped. */
  #parse(
    text: string,
    start: number,
    known: References,
    maxLinks = Number.POSITIVE_INFINITY,
  ): { readonly blocks: readonly PlacedBlock[]; readonly references: References } {
    this.#parsedCharacters += text.length;
    const environment: Environment = { references: { ...known }, linkCharactersLeft: maxLinks };
    const groups = topLevelGroups(this.#parser.parse(text, environment));
    const { references } = environment;
    const labels = Object.keys(references);
    const lines = lineStarts(text);
    const blocks = groups.map((tokens): PlacedBlock => {
      const [first = 0, last = 0] = tokens[0]?.map ?? [];
      const [from, to] = [lines[first] ?? text.length, lines[last] ?? text.length];
      const raw = text.slice(from, to).replaceAll(/\r\n?/g, '\n').trimEnd();
      const place = { raw, start: start + from, end: start + to };
      if (sizeOf(tokens) > maxTokensOfBlock) return { ...place, context: '', tokens: undefined, linkCharacters: 0 };
      const named = mentioned(this.#parser, raw, labels);
      const context = named.length === 0 ? '' : JSON.stringify(named.map((label) => [label, references[label]?.href]));
      return { ...place, context, tokens, linkCharacters: tokens.reduce((sum, { meta }) => sum + linksIn(meta), 0) };
    });
    return { blocks, references };
  }

  #reset(): void {
    this.#head = '';
    this.#headBlocks = [];
    this.#settled = '';
    this.#blocks = [];
    this.#definitions = {};
    this.#references = {};
  }
}

/** The labels that a link in the text may use. May hold labels that none uses. */
function mentioned(parser: MarkdownIt, raw: string, labels: readonly string[]): readonly string[] {
  if (labels.length === 0 || !raw.includes('[')) return [];
  if (labels.length > maxLabelsToSearch) return labels;
  // A label can go over a line of a quote.
  const texts = [raw, raw.replaceAll('>', ' ')].map((text) => parser.utils.normalizeReference(text));
  return labels.filter((label) => texts.some((text) => text.includes(label)));
}

/** The tokens of each top-level block. A block ends where its opening token is closed. */
function topLevelGroups(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([]);
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

/** The places where lines begin, with the parser's line breaks. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}

/**
 * Whether the text from `end` on may still belong to the title of a link definition between `start` and `end`. A title goes
 * on until its closing quote or an empty line.
 */
function mayContinueTitle(text: string, start: number, end: number): boolean {
  if (text.length - end > maxTitleCharacters) return false;
  const before = text.slice(start, end);
  if (!before.includes(']:')) return false;
  const sinceEmptyLine = before.split(emptyLine).at(-1) ?? '';
  return sinceEmptyLine.includes(']:') && !emptyLine.test(text.slice(end));
}

const emptyLine = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/;

/** The start of the last `count` complete lines. */
function startOfLastLines(text: string, count: number): number {
  // A line feed may still follow a carriage return at the end.
  let place = text.endsWith('\r') ? text.length - 1 : text.length;
  for (let line = 0; line <= count; line += 1) {
    let end = place - 1;
    // Not `lastIndexOf`: it reads the whole text where one of the two never comes.
    while (end >= 0 && !isLineBreak(text[end])) end -= 1;
    if (end < 0) return -1;
    place = text[end] === '\n' && text[end - 1] === '\r' ? end - 1 : end;
    if (line === count) return end + 1;
  }
  return place;
}

function sizeOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + 1 + (token.children?.length ?? 0), 0);
}

function linksIn(meta: unknown): number {
  return typeof meta === 'object' && meta !== null && 'linkCharacters' in meta ? Number(meta.linkCharacters) : 0;
}

function linkCharactersOf(blocks: readonly PlacedBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.linkCharacters, 0);
}

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}
