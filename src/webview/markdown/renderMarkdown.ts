import DOMPurify, { type Config } from 'dompurify';
import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { visibleText } from '../../util/visibleText';
import { codeTarget, linkTarget, type LinkTarget } from './linkTarget';

/** A top-level piece of a Markdown text. Equal `raw` and `context` render to equal nodes. */
export interface MarkdownBlock {
  readonly raw: string;
  /** Link definitions anywhere in the text, which the block's rendering depends on. */
  readonly context: string;
  readonly token: Token;
}

/**
 * Returns the blocks of an answer, in order. Raw HTML becomes text, images become links, and nothing is fetched. Links
 * have their target in `data-` attributes and no `href`: only our own listener opens them, through the host.
 */
export function lexMarkdown(text: string): readonly MarkdownBlock[] {
  const tokens = marked.lexer(text);
  const context = linkContext(tokens.links);
  return tokens
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token) => ({ raw: token.raw, context, token }));
}

/** Renders a block as sanitised nodes. */
export function renderBlock(block: MarkdownBlock): DocumentFragment {
  return DOMPurify.sanitize(marked.parser([block.token]), sanitizerOptions);
}

const sanitizerOptions = {
  RETURN_DOM_FRAGMENT: true as const,
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['strong', 'em', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div'],
  ],
  ALLOWED_ATTR: [
    ...['class', 'start', 'align', 'title', 'role', 'tabindex', 'aria-label'],
    ...['data-link', 'data-file', 'data-line', 'data-lang', 'data-open'],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
} satisfies Config;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escape(text)),
    code(token: Tokens.Code) {
      const language = /^[\w+#.-]*/.exec(token.lang ?? '')?.[0] ?? '';
      const open = isClosed(token) ? '' : ' data-open="true"';
      return `<pre><code data-lang="${escape(language)}"${open}>${escape(token.text)}</code></pre>`;
    },
    codespan({ text }: Tokens.Codespan) {
      const target = codeTarget(text);
      const code = `<code>${escape(visibleText(text, 'code'))}</code>`;
      return target === undefined ? code : anchor(target, code);
    },
    link({ href, tokens }: Tokens.Link) {
      const target = linkTarget(decoded(href));
      const content = this.parser.parseInline(tokens);
      return target === undefined ? content : anchor(target, content);
    },
    image({ href, text }: Tokens.Image) {
      const target = linkTarget(decoded(href));
      const content = `[image${text === '' ? '' : `: ${escape(text)}`}]`;
      return target === undefined ? content : anchor(target, content);
    },
    checkbox: ({ checked }: Tokens.Checkbox) =>
      `<span class="codicon codicon-${checked ? 'pass' : 'circle-large'} task" role="img" aria-label="${checked ? 'done' : 'not done'}"></span> `,
    table(token: Tokens.Table) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map((cell) => this.tablecell({ ...cell, header: tag === 'th' })).join('')}</tr>`;
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table-scroll" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
    },
  },
});

/** Whether a code block has its end. An open fence grows with every token. */
function isClosed(token: Tokens.Code): boolean {
  if (token.codeBlockStyle === 'indented') return true;
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(token.raw)?.[1];
  const lines = token.raw.trimEnd().split('\n');
  const last = lines.at(-1)?.trim() ?? '';
  return fence !== undefined && lines.length > 1 && last.startsWith(fence) && /^(`+|~+)$/.test(last);
}

function anchor(target: LinkTarget, content: string): string {
  if (target.kind === 'web') {
    const shown = escape(visibleText(target.href, 'path'));
    return `<a role="link" tabindex="0" title="${shown}" data-link="${escape(target.href)}">${content}</a>`;
  }
  const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
  const shown = escape(visibleText(target.path, 'path'));
  return `<a role="link" tabindex="0" title="Open ${shown}" data-file="${escape(target.path)}"${line}>${content}</a>`;
}

function linkContext(links: TokensList['links']): string {
  const names = Object.keys(links);
  return names.length === 0 ? '' : JSON.stringify(names.map((name) => [name, links[name]?.href]));
}

/** Decodes entities such as `&amp;`, which the lexer leaves in addresses. A parsed document runs and loads nothing. */
function decoded(href: string): string {
  if (!href.includes('&')) return href;
  return new DOMParser().parseFromString(href.replaceAll('<', '&lt;'), 'text/html').body.textContent;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
