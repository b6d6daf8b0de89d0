import type { CodePosition } from '../../codeNavigation';

/** Whether a line has the name as a whole word. */
export function hasWord(line: string, name: string): boolean {
  return wordPattern(name).test(line);
}

/**
 * The place of the name in a declaration that begins here; the begin itself if there is none. For `Cart.prototype.total =
 * function () {`, servers name the begin of the function, so the rest of the line before it counts too.
 */
export function nameAt<T extends CodePosition>(lines: readonly string[], begin: T, name: string): T {
  const text = lines[begin.line - 1] ?? '';
  const after = wordPattern(name).exec(text.slice(begin.character));
  if (after) return { ...begin, character: begin.character + after.index };
  const before = wordPattern(name).exec(text);
  if (before) return { ...begin, character: before.index };
  for (let line = begin.line + 1; line < begin.line + NEAR_LINES && line <= lines.length; line++) {
    const found = wordPattern(name).exec(lines[line - 1] ?? '');
    if (found) return { ...begin, line, character: found.index };
  }
  return begin;
}

/** The places of a name as a whole word in a text, one a line; the lines that seem to declare it first. */
export function wordPlaces(path: string, lines: readonly string[], name: string): readonly CodePosition[] {
  const places = lines.flatMap((text, index) => {
    const found = wordPattern(name).exec(text);
    return found ? [{ path, line: index + 1, character: found.index, text }] : [];
  });
  const isFirst = ({ text }: { readonly text: string }): number => (seemsToDeclare(text, name) ? 0 : 1);
  return places
    .sort((a, b) => isFirst(a) - isFirst(b) || a.line - b.line)
    .map(({ line, character }) => ({ path, line, character }));
}

/** Whether a line looks like the declaration of a name, in any of the usual languages. */
export function seemsToDeclare(line: string, name: string): boolean {
  const escaped = escape(name);
  return (
    new RegExp(`\\b(${KEYWORDS})\\s+[*&]?${escaped}(?![\\w$])`, 'u').test(line) ||
    new RegExp(`^\\s*(?:(?:module\\.)?exports|[\\w$]+\\.prototype)\\.${escaped}\\s*=`, 'u').test(line)
  );
}

const KEYWORDS =
  'function|class|interface|type|enum|struct|trait|module|namespace|def|fn|func|fun|let|const|var|val|static|public|private';
const NEAR_LINES = 6;

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`, 'u');
}

function escape(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
