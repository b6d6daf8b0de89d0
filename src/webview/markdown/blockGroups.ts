import type { MarkdownBlock } from './markdownBlock';

/** A group ends with the block that reaches one of these. */
const maxBlocks = 20;
const maxCharacters = 8_000;

/** About as many characters fit into a line of a narrow panel. */
const charactersOfLine = 60;
const lineHeight = 19;
const blockMargin = 8;

/** Consecutive blocks of a text, which the page lays out or skips together. */
export interface BlockGroup {
  readonly blocks: readonly MarkdownBlock[];
  /** Another group follows. */
  readonly isComplete: boolean;
  /** Its first block continues the plain text of the group before. */
  readonly continuesPlain: boolean;
}

/** Divides the blocks. A group that is equal to the one at its place in `before` is that group. */
export function groupsOf(blocks: readonly MarkdownBlock[], before: readonly BlockGroup[]): readonly BlockGroup[] {
  const groups: BlockGroup[] = [];
  for (let start = 0; start < blocks.length;) {
    const end = endOfGroup(blocks, start);
    const group: BlockGroup = {
      blocks: blocks.slice(start, end),
      isComplete: end < blocks.length,
      continuesPlain: isPlain(blocks[start - 1]) && isPlain(blocks[start]),
    };
    const old = before[groups.length];
    groups.push(old && isSame(old, group) ? old : group);
    start = end;
  }
  return groups;
}

/** In pixels. Holds until the group has been on screen. */
export function estimatedHeight({ blocks }: BlockGroup): number {
  return blocks.reduce((sum, { raw }) => sum + blockMargin + lineHeight * linesOf(raw), 0);
}

function linesOf(raw: string): number {
  return raw.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / charactersOfLine)), 0);
}

function endOfGroup(blocks: readonly MarkdownBlock[], start: number): number {
  let characters = 0;
  let end = start;
  while (end < blocks.length && end - start < maxBlocks && characters < maxCharacters) {
    characters += blocks[end]?.raw.length ?? 0;
    end += 1;
  }
  return end;
}

function isPlain(block: MarkdownBlock | undefined): boolean {
  return block !== undefined && block.tokens === undefined;
}

function isSame(one: BlockGroup, other: BlockGroup): boolean {
  return (
    one.isComplete === other.isComplete &&
    one.continuesPlain === other.continuesPlain &&
    one.blocks.length === other.blocks.length &&
    one.blocks.every((block, index) => block === other.blocks[index])
  );
}
