import type { CodePosition } from '../../codeNavigation';
import type { NameSources } from './resolveName';

const MAX_CHARS = 2_000;

/**
 * Signature and documentation of the symbol at a position, without Markdown's fences. A server infers types from any
 * file: nothing is told of a symbol that is defined in a file that may not be read, and a literal is told only if a file that
 * may be read has it. `undefined`: nothing can be told.
 */
export async function safeHover(position: CodePosition, sources: NameSources): Promise<string | undefined> {
  const { navigation, files, signal } = sources;
  const definitions = await navigation.related('definition', position, { signal });
  const paths = [position, ...definitions].map(({ path }) => path);
  const readable = await Promise.all(paths.map((path) => files.isReadable(path)));
  if (readable.includes(false)) return undefined;
  const hover = await navigation.hover(position, { signal });
  const shown = await files.look(paths, signal);
  const texts = [...shown.values()].map(({ text }) => text);
  const told = hover
    .replaceAll(/^```\w*\n?/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .replaceAll(LITERAL, (literal) =>
      texts.some((text) => text.includes(literal.replace(QUOTES, ''))) ? literal : '…',
    )
    .trim();
  if (told === '') return undefined;
  return told.length > MAX_CHARS ? `${told.slice(0, MAX_CHARS)}…` : told;
}

const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\b\d[\w.]*/g;
const QUOTES = /^["'`]|["'`]$/g;
