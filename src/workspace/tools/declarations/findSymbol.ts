import type { JsonObject } from '../../../util/json';
import { declareTool } from './toolDeclaration';
import { PATH_ALIASES } from './pathAliases';

/** The values of `find`. */
export const QUESTIONS = 'references, definition, implementations, callers, types, hover, symbols or rename to NEW';

export const findSymbolDeclaration = declareTool({
  name: 'find_symbol',
  description: `Ask the language server. find: ${QUESTIONS}.`,
  shape: {
    symbol: { type: 'string', optional: true },
    find: { type: 'string', optional: true },
  },
  aliases: [
    'code_navigation',
    'find_references',
    'find_usages',
    'list_code_usages',
    'go_to_definition',
    'find_definition',
    'get_definition',
    'lsp',
    'symbol_search',
    'search_symbols',
    'rename_symbol',
    'rename',
  ],
  parameterAliases: {
    name: 'symbol',
    symbol_name: 'symbol',
    symbolName: 'symbol',
    old_name: 'symbol',
    oldName: 'symbol',
    identifier: 'symbol',
    query: 'symbol',
    action: 'find',
    operation: 'find',
    kind: 'find',
    relation: 'find',
    what: 'find',
  },
  normalize: (input) => withFile(withNewName(input)),
});

/** Some models give the new name as a parameter of its own. */
function withNewName(input: JsonObject): JsonObject {
  for (const name of ['new_name', 'newName', 'new_symbol', 'rename_to', 'to']) {
    const { [name]: newName, ...rest } = input;
    if (typeof newName === 'string') return { ...rest, find: `rename to ${newName}` };
  }
  return input;
}

/** Some models give the file as a parameter of its own. */
function withFile(input: JsonObject): JsonObject {
  for (const name of ['path', ...Object.keys(PATH_ALIASES)]) {
    const { [name]: file, symbol = '', ...rest } = input;
    if (typeof file !== 'string' || typeof symbol !== 'string') continue;
    if (isTop(file)) return { ...rest, symbol };
    return { ...rest, symbol: symbol === '' ? file : `${symbol} in ${file}` };
  }
  return input;
}

/** The whole workspace. */
export function isTop(input: string): boolean {
  return ['', '.', './', '/'].includes(input.trim());
}
