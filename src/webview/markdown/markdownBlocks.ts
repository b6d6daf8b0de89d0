import type { MarkdownIt, Token } from 'markdown-it';

/** Text after this is shown plainly. Parsing it again with every token would block the page. */
const maxMarkdownCharacters = 100_000;
/** A block with more elements is shown plainly. */
const maxTokensOfBlock = 20_000;
/** Blocks after these are shown plainly, as one. */
const maxBlocks = 3_000;

/** A top-level piece of a Markdown text. Equal `raw` and `context` render to equal nodes. */
export interface MarkdownBlock {
  readonly raw: string;
  /** Link definitions anywhere in the text, which the block's rendering depends on. */
  readonly context: string;
  /** `undefined`: the block is shown as it was written. */
  readonly tokens: readonly Token[] | undefined;
}

/**
 * Returns the blocks of a text, in order. Never throws. The work for a text is bounded: a text that is too long, or a block
 * with too many elements, becomes a plain block. Nothing is left out.
 */
export function blocksOf(parser: MarkdownIt, text: string): readonly MarkdownBlock[] {
  const head = text.slice(0, maxMarkdownCharacters);
  const rest = text.slice(head.length);
  try {
    const blocks = parsedBlocks(parser, head);
    return rest === '' ? blocks : [...blocks, plainBlock(rest)];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [plainBlock(text)];
  }
}

function parsedBlocks(parser: MarkdownIt, text: string): readonly MarkdownBlock[] {
  const environment: { references?: Readonly<Record<string, { readonly href: string }>> } = {};
  const tokens = parser.parse(text, environment);
  const context = linkContext(environment.references ?? {});
  // The parser counts these line breaks.
  const lines = text.split(/\r\n?|\n/);
  const groups = topLevelGroups(tokens);
  const blocks = groups.slice(0, maxBlocks).map((group): MarkdownBlock => {
    const [first = 0, end = 0] = group[0]?.map ?? [];
    const raw = lines.slice(first, end).join('\n').trimEnd();
    return sizeOf(group) > maxTokensOfBlock ? plainBlock(raw) : { raw, context, tokens: group };
  });
  const next = groups[maxBlocks]?.[0]?.map?.[0];
  return next === undefined ? blocks : [...blocks, plainBlock(lines.slice(next).join('\n'))];
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

function sizeOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => sum + 1 + (token.children?.length ?? 0), 0);
}

function plainBlock(raw: string): MarkdownBlock {
  return { raw, context: '', tokens: undefined };
}

function linkContext(references: Readonly<Record<string, { readonly href: string }>>): string {
  const names = Object.keys(references);
  return names.length === 0 ? '' : JSON.stringify(names.map((name) => [name, references[name]?.href]));
}
