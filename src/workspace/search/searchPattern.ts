import type { TextQuery } from '../ports';
import { messageOf } from '../../util/errors';

export type CompiledPattern =
  { readonly ok: true; readonly regex: RegExp } | { readonly ok: false; readonly error: string };

const MAX_PATTERN_LENGTH = 10_000;

/** A pattern as a regular expression for one line. Accepts inline flags such as `(?i)`, which models write. */
export function compilePattern(query: Pick<TextQuery, 'pattern' | 'isRegex' | 'isCaseSensitive'>): CompiledPattern {
  if (query.pattern === '') return { ok: false, error: 'The pattern is empty. Give the text to look for.' };
  if (query.pattern.length > MAX_PATTERN_LENGTH) {
    return { ok: false, error: `The pattern is longer than ${MAX_PATTERN_LENGTH.toLocaleString('en')} characters.` };
  }
  const inline = query.isRegex ? /^\(\?([a-z]+)\)/.exec(query.pattern) : null;
  const source = query.isRegex ? query.pattern.slice(inline?.[0].length ?? 0) : escapeForRegex(query.pattern);
  const isCaseSensitive = query.isCaseSensitive && !inline?.[1]?.includes('i');
  try {
    return { ok: true, regex: new RegExp(source, isCaseSensitive ? '' : 'i') };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, error: `${reason}. Correct the pattern, or set is_regex to false to search for it literally.` };
  }
}

function escapeForRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
