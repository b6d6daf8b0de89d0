import type { Token } from 'markdown-it';

/** A top-level piece of a Markdown text. Equal `raw` and `context` render to equal nodes. */
export interface MarkdownBlock {
  readonly raw: string;
  /** The link definitions that the block's rendering depends on. */
  readonly context: string;
  /** `undefined`: the block is shown as it was written. */
  readonly tokens: readonly Token[] | undefined;
}
