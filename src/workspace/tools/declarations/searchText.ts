import type { JsonObject } from '../../../util/json';
import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

export const searchTextDeclaration = declareTool({
  name: 'search_text',
  description: 'Search the contents of files.',
  shape: {
    pattern: 'string',
    path: { type: 'string', optional: true },
    glob: { type: 'string', optional: true },
    is_regex: { type: 'boolean', optional: true },
  },
  aliases: [
    'grep',
    'grep_search',
    'search',
    'search_files',
    'search_file_content',
    'find_text',
    'ripgrep',
    'rg',
    'search_code',
  ],
  parameterAliases: {
    ...PATH_ALIASES,
    query: 'pattern',
    text: 'pattern',
    search: 'pattern',
    search_term: 'pattern',
    include: 'glob',
    file_pattern: 'glob',
    include_pattern: 'glob',
    isRegex: 'is_regex',
    use_regex: 'is_regex',
    caseSensitive: 'case_sensitive',
    match_case: 'case_sensitive',
  },
  normalize: readRegex,
});

/** Some models give the pattern as `regex`, others use it as a flag. */
function readRegex(input: JsonObject): JsonObject {
  const { regex, ...rest } = input;
  if (typeof regex === 'string') return { pattern: regex, is_regex: true, ...rest };
  return typeof regex === 'boolean' ? { is_regex: regex, ...rest } : input;
}
