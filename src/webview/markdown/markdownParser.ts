import * as l10n from '../../util/l10n';
import MarkdownIt, { type StateInline, type Token, type StateCore } from 'markdown-it';
import { visibleText } from '../../util/text/visibleText';
import { boundNesting } from './boundedNesting';
import { readCodeInfo } from './code/codeInfo';
import { linkTarget, shownAddress, type LinkTarget } from './linkTarget';
import { readMath } from './math/mathSyntax';
import { codeMention, codeSymbol, proseMentions, type Mention } from './mentions';

const maxTagCharacters = 500;

/** A parse's environment: links after this many characters of addresses are dropped. Default: none. */
export interface LinkBudget {
  readonly linkCharactersLeft?: number | undefined;
}

/** A parser without HTML, whose output holds no `href`, `src` or `style`. */
export function createMarkdownParser(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false });
  // `linkTarget` decides which addresses are links. Addresses stay as they were written.
  markdown.validateLink = () => true;
  markdown.normalizeLink = (address) => address;
  markdown.normalizeLinkText = (address) => address;
  markdown.inline.ruler.before('autolink', 'line_break_tag', lineBreakTag);
  markdown.inline.ruler.after('autolink', 'tag_text', tagText);
  readMath(markdown);
  boundNesting(markdown);
  markdown.core.ruler.push('checkboxes', markCheckboxes);
  markdown.core.ruler.push('link_targets', keepRealLinks);
  markdown.core.ruler.push('cell_alignment', alignCells);
  markdown.core.ruler.push('directions', markDirections);
  Object.assign(markdown.renderer.rules, renderRules);
  return markdown;
}

/** Models write `<br>` in table cells. All other HTML is shown as text. */
function lineBreakTag(state: StateInline, silent: boolean): boolean {
  const tag = /^<br\s{0,9}\/?>/i.exec(state.src.slice(state.pos, state.pos + 16))?.[0];
  if (tag === undefined) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += tag.length;
  return true;
}

/** Shows a tag as it was written: nothing in it, or in a short script or style, is a link. Longer tags are ordinary text. */
function tagText(state: StateInline, silent: boolean): boolean {
  const tag = /^<(?:(?:style|script)\b[^<>]*>[^<]*|\/?[a-z][^<>]*>)/i.exec(
    state.src.slice(state.pos, state.pos + maxTagCharacters),
  )?.[0];
  if (tag === undefined) return false;
  if (!silent) state.push('tag_text', '', 0).content = tag;
  state.pos += tag.length;
  return true;
}

/** Turns `[x]` at the start of a list item into a `checkbox` token. */
function markCheckboxes(state: StateCore): void {
  state.tokens.forEach((token, index) => {
    if (token.type !== 'inline' || state.tokens[index - 2]?.type !== 'list_item_open') return;
    const text = token.children?.[0];
    const mark = text?.type === 'text' ? /^\[([ xX])\] /.exec(text.content) : null;
    if (text === undefined || mark === null) return;
    text.content = text.content.slice(mark[0].length);
    const checkbox = new state.Token('checkbox', '', 0);
    checkbox.meta = mark[1] !== ' ';
    token.children?.unshift(checkbox);
  });
}

/**
 * Drops links that nothing can open; their text stays. Sets `meta` of the others to their target, `meta` of what is inside
 * to `IN_LINK`, and `meta` of a block of text to the characters of its addresses.
 */
function keepRealLinks(state: StateCore): void {
  let left = (state.env as LinkBudget).linkCharactersLeft ?? Number.POSITIVE_INFINITY;
  let linkCharacters = 0;
  const targetOf = (token: Token, name: string): LinkTarget | undefined => {
    const address = token.attrGet(name) ?? '';
    left -= address.length;
    linkCharacters += address.length;
    return left < 0 ? undefined : linkTarget(address);
  };
  for (const block of state.tokens) {
    if (block.children === null) continue;
    linkCharacters = 0;
    // Links do not nest.
    let isDropping = false;
    let isInLink = false;
    block.children = block.children.filter((token) => {
      if (token.type === 'image') token.meta = targetOf(token, 'src');
      if (token.type === 'link_open') {
        token.meta = targetOf(token, 'href');
        isDropping = token.meta === undefined;
        isInLink = !isDropping;
        return isInLink;
      }
      if (token.type === 'link_close') isInLink = false;
      else if (isInLink && token.meta === null) token.meta = IN_LINK;
      return !(token.type === 'link_close' && isDropping);
    });
    if (linkCharacters > 0) block.meta = { linkCharacters };
  }
}

/** The page's policy forbids `style` attributes. */
function alignCells(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue;
    const side = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '')?.[1];
    token.attrs = side === undefined ? null : [['align', side]];
  }
}

/** Each block of text has the direction of its own words. */
function markDirections(state: StateCore): void {
  const containers: string[] = [];
  for (const token of state.tokens) {
    if (token.nesting < 0) containers.pop();
    // Paragraphs of a list item have its direction, which its bullet has too.
    const isInItem = token.type === 'paragraph_open' && containers.at(-1) === 'list_item_open';
    if (directedTokens.has(token.type) && !isInItem) token.attrSet('dir', 'auto');
    if (token.nesting > 0) containers.push(token.type);
  }
}

const directedTokens: ReadonlySet<string> = new Set([
  ...['paragraph_open', 'heading_open', 'list_item_open', 'th_open', 'td_open'],
]);

/** The `meta` of a token inside a link: it is no link of its own. */
const IN_LINK = 'in link';

const renderRules: MarkdownIt['renderer']['rules'] = {
  fence: (tokens, index) => codeBlock(tokens[index]),
  code_block: (tokens, index) => codeBlock(tokens[index]),
  code_inline(tokens, index) {
    const text = tokens[index]?.content ?? '';
    const mention = codeMention(text) ?? codeSymbol(text);
    const attributes = mention && tokens[index]?.meta !== IN_LINK ? mentionAttributes(mention) : '';
    return `<code dir="ltr"${attributes}>${escapeHtml(visibleText(text, 'code'))}</code>`;
  },
  text(tokens, index) {
    const text = tokens[index]?.content ?? '';
    const mentions = proseMentions(text);
    if (mentions.length === 0 || tokens[index]?.meta === IN_LINK) return escapeHtml(text);
    let html = '';
    let place = 0;
    for (const { start, end, ...mention } of mentions) {
      html += `${escapeHtml(text.slice(place, start))}<span${mentionAttributes(mention)}>${escapeHtml(text.slice(start, end))}</span>`;
      place = end;
    }
    return html + escapeHtml(text.slice(place));
  },
  link_open: (tokens, index) => anchor(tokens[index]?.meta as LinkTarget),
  image(tokens, index) {
    const token = tokens[index];
    const text = token?.content ?? '';
    const content = text === '' ? l10n.t('[image]') : l10n.t('[image: {0}]', escapeHtml(text));
    const target = token?.meta as LinkTarget | undefined;
    return target === undefined ? content : `${anchor(target)}${content}</a>`;
  },
  checkbox(tokens, index) {
    const isDone = tokens[index]?.meta === true;
    return `<span class="codicon codicon-${isDone ? 'pass' : 'circle-large'} task" role="img" aria-label="${escapeHtml(isDone ? l10n.t('done') : l10n.t('not done'))}"></span> `;
  },
  tag_text: (tokens, index) => escapeHtml(tokens[index]?.content ?? ''),
  s_open: () => '<del>',
  s_close: () => '</del>',
  table_open: () =>
    `<div class="table-scroll" tabindex="0" role="region" aria-label="${escapeHtml(l10n.t('Table'))}"><table>`,
  table_close: () => '</table></div>',
  math_inline(tokens, index) {
    const { content = '', meta } = tokens[index] ?? {};
    const formula = `<span ${formulaAttributes('math')}>${escapeHtml(content)}</span>`;
    // A link has set another `meta`.
    const marks = typeof meta === 'string' && meta !== IN_LINK ? meta : '';
    return marks === '' ? formula : `<span class="math-marked">${formula}${escapeHtml(marks)}</span>`;
  },
  math_block: (tokens, index) =>
    `<div ${formulaAttributes('math math-block')}>${escapeHtml(tokens[index]?.content ?? '')}</div>`,
  plain_text: (tokens, index) => plainText(tokens[index]?.content ?? ''),
};

/** Text that is shown as it was written. */
function plainText(text: string): string {
  return `<div class="markdown-plain" dir="auto">${escapeHtml(text)}</div>`;
}

function codeBlock(token: Token | undefined): string {
  const { language, path } = readCodeInfo(token?.info ?? '');
  const text = (token?.content ?? '').replace(/\n$/, '');
  const named = path === undefined ? '' : ` data-path="${escapeHtml(path)}"`;
  const open = token?.type === 'fence' && !isClosed(token) ? ' data-open="true"' : '';
  return `<pre dir="ltr"><code data-lang="${escapeHtml(language)}"${named}${open}>${escapeHtml(text)}</code></pre>`;
}

/** Whether a fence has its end. An open one grows with every token of the model. */
function isClosed({ content, map }: Token): boolean {
  const [first, end] = map ?? [0, 0];
  const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
  return end - first === lines + 2;
}

/** For `showMath`, which sets the formula. */
function formulaAttributes(names: string): string {
  return `class="${names}" dir="ltr" data-math="written"`;
}

/** For `MentionedPlaces`, which makes links of those that exist. */
function mentionAttributes({ path, line }: Mention): string {
  return ` data-mention="${escapeHtml(path)}"${line === undefined ? '' : ` data-line="${line}"`}`;
}

function anchor(target: LinkTarget): string {
  if (target.kind === 'web') {
    const shown = escapeHtml(visibleText(shownAddress(target.href), 'path'));
    return `<a role="link" tabindex="0" title="${shown}" data-link="${escapeHtml(target.href)}">`;
  }
  const line = target.line === undefined ? '' : ` data-line="${target.line}"`;
  const shown = escapeHtml(l10n.t('Open {0}', visibleText(target.path, 'path')));
  return `<a role="link" tabindex="0" title="${shown}" data-file="${escapeHtml(target.path)}"${line}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
