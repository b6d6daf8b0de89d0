import DOMPurify from 'dompurify';
import highlighter from 'highlight.js/lib/common';

/** Longer code, or code with a longer line, stays plain: the work of some grammars grows with the square of it. */
const maxCharacters = 15_000;
const maxLineCharacters = 1_000;

/** The code with a `span` for each token; `undefined` when the language is unknown, or the code too long or too deep. */
export function highlightCode(code: string, language: string): DocumentFragment | undefined {
  if (code.length > maxCharacters || highlighter.getLanguage(language) === undefined) return undefined;
  if (code.split('\n').some((line) => line.length > maxLineCharacters)) return undefined;
  const html = highlightedHtml(code, language);
  if (html === undefined) return undefined;
  return DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] });
}

function highlightedHtml(code: string, language: string): string | undefined {
  try {
    return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
  } catch (error) {
    // The highlighter recurses over nested code.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
