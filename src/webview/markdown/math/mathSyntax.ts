import type { MarkdownIt, StateBlock, StateCore, StateInline } from 'markdown-it';

/** Longer formulas stay text. */
export const MAX_BLOCK_FORMULA = 4_000;
const MAX_INLINE_FORMULA = 500;

/**
 * Reads formulas: `$x$` and `\(x\)` in a line, `$$x$$` and `\[x\]` on lines of their own. A block of them ends at an empty
 * line at the latest, as in TeX, so more text never changes the blocks before it. The tokens `math_inline` and `math_block`
 * hold the formula as it was written, with its marks.
 * The `meta` of a `math_inline` has the comma or the like that follows it.
 */
export function readMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math_inline', inlineMath);
  markdown.core.ruler.push('math_ends', keepMarksBeside);
  markdown.block.ruler.before('fence', 'math_block', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}

/** A comma must not begin a line because a formula stands before it. */
function keepMarksBeside(state: StateCore): void {
  for (const { children } of state.tokens) {
    children?.forEach((token, index) => {
      const next = children[index + 1];
      if (token.type !== 'math_inline' || next?.type !== 'text') return;
      const [marks = ''] = /^[.,;:!?)\]]{0,4}/.exec(next.content) ?? [];
      token.meta = marks;
      next.content = next.content.slice(marks.length);
    });
  }
}

/** The TeX in a formula as it was written. */
export function texOf(written: string): string {
  return written
    .trim()
    .replace(/^(?:\$\$?|\\[([])/, '')
    .replace(/(?:\$\$?|\\[)\]])$/, '')
    .trim();
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const end = endOfInline(state.src, state.pos, state.posMax);
  if (end === undefined) return false;
  if (!silent) state.push('math_inline', 'span', 0).content = state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

/** The place after the formula that begins at `start`; `undefined`: none does. */
function endOfInline(text: string, start: number, limit: number): number | undefined {
  if (text.startsWith('\\(', start)) return endOfMarked(text, start, limit, '\\)');
  if (text[start] !== '$' || WORD_END.test(text[start - 1] ?? '')) return undefined;
  if (text[start + 1] === '$') return endOfMarked(text, start, limit, '$$');
  let at = text.indexOf('$', start + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('$', at + 1);
  if (at < 0 || at >= limit || at - start > MAX_INLINE_FORMULA) return undefined;
  // `$5 and $10` are prices, and `$HOME:$PATH` are variables.
  if (WORD.test(text[at + 1] ?? '')) return undefined;
  const tex = text.slice(start + 1, at);
  return looksLikeMath(tex) && !ODD_EDGE.test(tex) ? at + 1 : undefined;
}

function endOfMarked(text: string, start: number, limit: number, mark: '\\)' | '$$'): number | undefined {
  const at = text.indexOf(mark, start + 2);
  if (at < 0 || at + 2 > limit || at - start > MAX_INLINE_FORMULA || isEscaped(text, at)) return undefined;
  return looksLikeMath(text.slice(start + 2, at).trim()) ? at + 2 : undefined;
}

/** After a closing dollar: `$5-$10`. */
const WORD = /[\p{L}\p{N}_$]/u;
/** Before an opening dollar: `US$5`. */
const WORD_END = /[\p{L}\p{N}_$\\]/u;
/** A formula neither begins nor ends so; a piece of a program or a sentence does. */
const ODD_EDGE = /^[\s.,;:/)*&]|[\s,:/(=+&<>-]$/;

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** Not a sentence between two dollar signs. A command of TeX decides; else words of three letters are no formula. */
function looksLikeMath(tex: string): boolean {
  if (tex === '') return false;
  if (/\\[A-Za-z]/.test(tex)) return true;
  if (/[A-Za-z]{3}/.test(tex) || /\s[A-Za-z]{2}\s/.test(tex)) return false;
  return /[\d=^_+*/<>|(±×·≤≥≠≈∈→-]/.test(tex) || /^\p{L}{1,2}'*$/u.test(tex);
}

function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineOf(state, startLine);
  const mark = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
  if (mark === undefined) return false;
  const rest = first.slice(2).trim();
  const isOneLine = rest.length > 2 && rest.indexOf(mark) === rest.length - 2;
  if (isOneLine ? !looksLikeMath(rest.slice(0, -2)) : !(rest === '' || OPENING.test(rest)) || rest.includes(mark))
    return false;
  if (silent) return true;
  let next = startLine + 1;
  let isClosed = isOneLine;
  for (; !isClosed && next < endLine; next += 1) {
    if (state.isEmpty(next) || (state.sCount[next] ?? 0) < state.blkIndent) break;
    isClosed = lineOf(state, next).endsWith(mark);
  }
  // What is not closed stays text, with its lines as they are.
  const token = state.push(isClosed ? 'math_block' : 'plain_text', '', 0);
  token.block = true;
  token.map = [startLine, next];
  token.content = state.getLines(startLine, next, state.blkIndent, false).trim();
  state.line = next;
  return true;
}

/** The first line of a formula of several lines has a command of TeX: `$$ is my process` is a sentence. */
const OPENING = /^\\[A-Za-z]/;

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd();
}
