import type { Preparation, Tool, ToolOutput } from '../../../sdk/tool';
import type { JsonObject } from '../../../util/json';
import type { ReadPlan } from '../../plans';
import type { CodeNavigation } from '../../codeNavigation';
import {
  find,
  findFile,
  findMoveOf,
  PATH_ALIASES,
  withNormalizedInput,
  type PathAccess,
  type WorkspaceAccess,
} from '../workspaceAccess';
import { workspaceTool } from '../workspaceTool';
import { answerAbout, answerSymbols } from './answers';
import { ShownFiles } from './shownFiles';
import { parseFind, parseSymbol, type Find, type SymbolName } from './symbolQuery';

interface FindQuery {
  readonly find: Find;
  readonly symbol: SymbolName;
  /** The target is the file to look in, not the workspace. */
  readonly isInFile: boolean;
}

const QUESTIONS = 'references, definition, implementations, callers, hover or symbols';

const strict = workspaceTool(
  'find_symbol',
  `Ask the language server. find: ${QUESTIONS}.`,
  {
    symbol: { type: 'string', optional: true },
    find: { type: 'string', optional: true },
  },
  {
    async prepare({ symbol = '', find = '' }, access): Promise<Preparation<ReadPlan>> {
      const question = parseFind(find);
      if (question === undefined) return { ok: false, error: `find must be ${QUESTIONS}, not "${find}".` };
      const { file: inFile, ...name } = parseSymbol(symbol);
      const file = [inFile ?? '', question === 'symbols' && looksLikeFile(symbol) ? symbol : ''].find(
        (given) => !isTop(given),
      );
      if (file === undefined && name.name === '')
        return { ok: false, error: 'Name a symbol, or with find: symbols the path of a file.' };
      if (name.name === '' && question !== 'symbols') return { ok: false, error: 'Name the symbol to ask about.' };
      return plan(
        file,
        { find: question, symbol: file === symbol ? { name: '' } : name, isInFile: file !== undefined },
        access,
      );
    },
    run: (approved, access, { signal }) => ask(approved, access, signal),
  },
  {
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
    ],
    parameterAliases: {
      name: 'symbol',
      symbol_name: 'symbol',
      symbolName: 'symbol',
      identifier: 'symbol',
      query: 'symbol',
      action: 'find',
      operation: 'find',
      kind: 'find',
      relation: 'find',
      what: 'find',
    },
  },
);

/**
 * Asks the editor's language servers. A model names a symbol and at most a file, because it cannot know offsets: `subtotal`,
 * `Cart.total in src/cart.js`, and for the symbols of a file its path.
 */
export function createFindSymbolTool(access: WorkspaceAccess): Tool {
  return withNormalizedInput(strict(access), withFile);
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

async function plan(file: string | undefined, query: FindQuery, access: PathAccess): Promise<Preparation<ReadPlan>> {
  if (file !== undefined) {
    const found = await findFile(file, access);
    return found.ok ? { ok: true, plan: { kind: 'read', target: found.target, query } } : found;
  }
  const [root] = access.roots();
  if (!root) return { ok: false, error: 'No folder is open, so there is nothing to search.' };
  const found = await find(root.path, access);
  return found.ok ? { ok: true, plan: { kind: 'read', target: found.target, query } } : found;
}

async function ask({ target, query }: ReadPlan, access: WorkspaceAccess, signal: AbortSignal): Promise<ToolOutput> {
  const { find, symbol, isInFile } = query as FindQuery;
  const navigation: CodeNavigation | undefined = access.ports.codeNavigation;
  if (!navigation) return { content: 'No language server is there. Use search_text instead.', isError: true };
  const moved = await findMoveOf(target, access);
  if (moved !== undefined) return { content: moved, isError: true };
  const file = isInFile ? target : undefined;
  const sources = { navigation, access, files: new ShownFiles(access, file), signal };
  try {
    if (find === 'symbols') return { content: await answerSymbols(symbol, file, sources) };
    return { content: await answerAbout(symbol, find, file, sources) };
  } catch {
    // The error of a server may quote any file.
    signal.throwIfAborted();
    return { content: 'The language server did not answer. Use search_text instead.', isError: true };
  }
}

function isTop(input: string): boolean {
  return ['', '.', './', '/'].includes(input.trim());
}

function looksLikeFile(symbol: string): boolean {
  return /[\\/]|\.[a-z]{1,4}$/i.test(symbol.trim()) && !/[\s()]/.test(symbol.trim());
}
