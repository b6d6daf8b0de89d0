import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';

/** The panel is narrow: deeper content has no room. A list takes two levels, a quote one. */
export const maxBlockLevels = 24;
/** Emphasis, links and the like inside each other. */
export const maxInlineLevels = 12;

/**
 * Limits how deeply blocks and emphasis nest. Below the limit nothing is lost: the rest of a block becomes a `plain_text`
 * token with the lines as they are, and the markers of deeper emphasis stay in the text.
 */
export function boundNesting(markdown: MarkdownIt): void {
  // The parser drops content below `maxNesting`. Our rule acts first. A list opens two levels at once.
  Object.assign(markdown.options, { maxNesting: maxBlockLevels + 10 });
  markdown.block.ruler.before('table', 'plain_text', restAsPlainText);
  markdown.core.ruler.after('linkify', 'bounded_inline', (state) => boundInline(state));
}

function restAsPlainText(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < maxBlockLevels) return false;
  if (silent) return true;
  let line = startLine;
  // The lines of this container. A line with less indentation belongs to an outer list.
  while (line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)) line += 1;
  const token = state.push('plain_text', '', 0);
  token.block = true;
  token.map = [startLine, line];
  token.content = state.getLines(startLine, line, state.blkIndent, false).trimEnd();
  state.line = line;
  return true;
}

function boundInline(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.children !== null) token.children = boundedInline(token.children, state);
  }
}

function boundedInline(tokens: readonly Token[], state: StateCore): Token[] {
  let level = 0;
  return tokens.map((token) => {
    if (token.nesting === 0) return token;
    if (token.nesting === 1) level += 1;
    const isTooDeep = level > maxInlineLevels;
    if (token.nesting === -1) level -= 1;
    if (!isTooDeep) return token;
    const text = new state.Token('text', '', 0);
    text.content = token.markup;
    return text;
  });
}
