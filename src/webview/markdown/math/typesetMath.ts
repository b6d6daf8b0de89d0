import DOMPurify, { type Config } from 'dompurify';
import temml from 'temml';

/** Braces, environments and the like inside each other. */
const MAX_LEVELS = 60;
const MAX_MARKUP = 400_000;
/** Definitions can make a short text long, and one formula could change the next. */
const DEFINITIONS =
  /\\(?:[gex]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![A-Za-z])/;

/**
 * A formula of TeX as MathML, without styles, addresses and definitions; `undefined`: it has mistakes, or is too deep or too
 * long. What it holds cannot reach far beyond its place.
 */
export function typeset(tex: string, isBlock: boolean): DocumentFragment | undefined {
  if (tex === '' || DEFINITIONS.test(tex) || levelsOf(tex) > MAX_LEVELS) return undefined;
  let markup: string;
  try {
    markup = temml.renderToString(tex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 1_000,
      maxSize: [20, 200],
      // A formula in a line may break after its operators.
      wrap: isBlock ? 'none' : 'tex',
    });
  } catch {
    // It throws its own errors for mistakes, and others for some odd input.
    return undefined;
  }
  if (markup.length > MAX_MARKUP) return undefined;
  const fragment = DOMPurify.sanitize(markNarrowCells(markup), sanitizerOptions);
  for (const element of fragment.querySelectorAll('*')) boundLengths(element);
  return fragment.querySelector('math') === null ? undefined : fragment;
}

/** The most levels that are open at once. */
function levelsOf(tex: string): number {
  let level = 0;
  let most = 0;
  for (const [part] of tex.matchAll(/\\(?:begin|left|end|right)(?![A-Za-z])|\\.|[{}]/gs)) {
    if (part === '{' || part === '\\begin' || part === '\\left') level += 1;
    if (part === '}' || part === '\\end' || part === '\\right') level -= 1;
    most = Math.max(most, level);
  }
  return most;
}

/** The page's policy forbids styles, and these two matter: the cells beside the sign that equations are aligned at. */
function markNarrowCells(markup: string): string {
  return markup.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const sides = ['left', 'right'].filter((side) => new RegExp(`padding-${side}:0(?:em)?;`).test(style));
    return sides.length === 0 ? '' : ` data-narrow="${sides.join(' ')}"`;
  });
}

/** Drops lengths that would move a part of the formula far away. */
function boundLengths(element: Element): void {
  for (const name of LENGTHS) {
    const value = element.getAttribute(name);
    if (value !== null && !SHORT.test(value)) element.removeAttribute(name);
  }
}

const LENGTHS = ['width', 'height', 'depth', 'lspace', 'rspace', 'voffset', 'minsize', 'maxsize', 'linethickness'];
const SHORT = /^[+-]?(?:\d{1,2}(?:\.\d{1,6})?|\.\d{1,6})(?:em|ex|px|pt|mu|%)?$/;

const sanitizerOptions = {
  RETURN_DOM_FRAGMENT: true as const,
  ALLOWED_TAGS: [
    ...['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mpadded', 'mphantom', 'mfrac', 'msqrt', 'mroot'],
    ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'none'],
    ...['mtable', 'mtr', 'mtd', 'mstyle', 'menclose', '#text'],
  ],
  ALLOWED_ATTR: [
    ...['class', 'display', 'displaystyle', 'scriptlevel', 'mathvariant', 'stretchy', 'fence', 'separator', 'form'],
    ...['accent', 'accentunder', 'largeop', 'movablelimits', 'symmetric', 'columnalign', 'rowspan', 'columnspan'],
    ...['notation', 'data-narrow', ...LENGTHS],
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
} satisfies Config;
