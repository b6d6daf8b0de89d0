import DOMPurify, { type Config } from 'dompurify';
import type { MarkdownBlock } from './markdownBlock';
import { MarkdownLexer } from './markdownLexer';
import { createMarkdownParser } from './markdownParser';
import { plainText } from './plainText';

export { showMath } from './math/showMath';
export { replaceKeepingStart } from './replaceKeepingStart';

const parser = createMarkdownParser();

/**
 * A lexer for one growing answer. Raw HTML becomes text, images become links, and nothing is fetched. Links have their
 * target in `data-` attributes and no `href`: only our own listener opens them, through the host.
 */
export function createLexer(): MarkdownLexer {
  return new MarkdownLexer(parser);
}

/** Blocks that were rendered together, until `renderBlock` takes them. */
const prepared = new WeakMap<MarkdownBlock, DocumentFragment>();

/** Renders blocks that will be shown at once. The sanitiser makes a document for each call, which takes longer than a block. */
export function prepareBlocks(blocks: readonly MarkdownBlock[]): void {
  const marked = blocks.filter(({ tokens }) => tokens !== undefined);
  if (marked.length < 2) return;
  try {
    const html = marked.map((block) => `<div>${htmlOf(block)}</div>`);
    const { childNodes } = DOMPurify.sanitize(html.join(''), sanitizerOptions);
    // Otherwise a block is not closed.
    if (childNodes.length !== marked.length) return;
    for (const [index, element] of [...childNodes].entries()) {
      const fragment = document.createDocumentFragment();
      fragment.append(...element.childNodes);
      const block = marked[index];
      if (block !== undefined) prepared.set(block, fragment);
    }
  } catch (error) {
    // `renderBlock` finds out which block it is.
    if (!(error instanceof Error)) throw error;
  }
}

/** Renders a block as sanitised nodes. A block that cannot be rendered becomes plain text. */
export function renderBlock(block: MarkdownBlock): DocumentFragment {
  if (block.tokens === undefined) return plainFragment(block.raw);
  const before = prepared.get(block);
  prepared.delete(block);
  if (before !== undefined) return before;
  try {
    return DOMPurify.sanitize(htmlOf(block), sanitizerOptions);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return plainFragment(block.raw);
  }
}

function htmlOf({ tokens = [] }: MarkdownBlock): string {
  return parser.renderer.render([...tokens], parser.options, {});
}

/** A Markdown text as a person reads it, without marks. */
export function renderAsText(text: string): string {
  return createLexer()
    .lex(text)
    .map((block) => plainText(renderBlock(block)))
    .join('\n\n');
}

/** Needs no parser and no sanitiser. */
function plainFragment(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const element = document.createElement('div');
  element.className = 'markdown-plain';
  element.dir = 'auto';
  element.textContent = text;
  fragment.append(element);
  return fragment;
}

const sanitizerOptions = {
  RETURN_DOM_FRAGMENT: true as const,
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['strong', 'em', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div'],
  ],
  ALLOWED_ATTR: [
    ...['class', 'start', 'align', 'title', 'role', 'tabindex', 'aria-label', 'dir'],
    ...['data-link', 'data-file', 'data-line', 'data-mention', 'data-lang', 'data-path', 'data-open', 'data-math'],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
} satisfies Config;
