import type { MarkdownBlock } from './markdownBlock';

/** A longer plain text becomes several blocks. */
const minPlainCharacters = 4_000;

/**
 * Splits a growing text into plain blocks, cut at line breaks, so that only the last one changes while the text grows; the
 * others stay the same objects. The line break at a cut is left out, because the next block begins a line. So no cut is
 * beside an empty line.
 */
export class PlainBlocks {
  /** The text before the last block, and its blocks. */
  #settled = '';
  #blocks: readonly MarkdownBlock[] = [];

  split(text: string): readonly MarkdownBlock[] {
    const isMore = text.startsWith(this.#settled);
    const blocks = isMore ? [...this.#blocks] : [];
    let start = isMore ? this.#settled.length : 0;
    let at = text.indexOf('\n', start + minPlainCharacters);
    // More text may still follow a line break at the end.
    while (at >= 0 && at + 1 < text.length) {
      const isBesideEmptyLine = isLineBreak(text[at - 1]) || isLineBreak(text[at + 1]);
      if (!isBesideEmptyLine) {
        blocks.push(plainBlock(text.slice(start, at)));
        start = at + 1;
      }
      at = text.indexOf('\n', isBesideEmptyLine ? at + 1 : start + minPlainCharacters);
    }
    this.#settled = text.slice(0, start);
    this.#blocks = blocks;
    return [...blocks, plainBlock(text.slice(start))];
  }
}

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

function plainBlock(raw: string): MarkdownBlock {
  return { raw, context: '', tokens: undefined };
}
