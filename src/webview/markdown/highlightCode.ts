import DOMPurify from 'dompurify';
import highlighter from 'highlight.js/lib/common';

/** Longer blocks stay plain, because colouring them would block the page. */
const maxHighlightedCharacters = 60_000;

/** The code with a `span` for each token; `undefined` when the language is unknown or the code too long. */
export function highlightCode(code: string, language: string): DocumentFragment | undefined {
  if (code.length > maxHighlightedCharacters || highlighter.getLanguage(language) === undefined) return undefined;
  const html = highlighter.highlight(code, { language, ignoreIllegals: true }).value;
  return DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true, ALLOWED_TAGS: ['span'], ALLOWED_ATTR: ['class'] });
}
