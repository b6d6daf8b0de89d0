import type { Preparation, ToolOutput } from '../../../sdk/tool';
import type { EditsPlan, ReadPlan } from '../../plans';
import type { CodeNavigation } from '../../codeNavigation';
import { find, findFile, findMoveOf, type Found, type PathAccess, type WorkspaceAccess } from '../workspaceAccess';
import { writeEdits } from '../edits/writeEdits';
import { QUESTIONS, findSymbolDeclaration, isTop } from '../declarations/findSymbol';
import { workspaceTool, type UndecidedAccess } from '../workspaceTool';
import { answerAbout, answerSymbols } from './answers';
import { ShownFiles } from './shownFiles';
import { parseFind, parseRename, parseSymbol, type Find, type SymbolName } from './symbolQuery';

interface FindQuery {
  readonly find: Find;
  readonly symbol: SymbolName;
  /** The target is the file to look in, not the workspace. */
  readonly isInFile: boolean;
}

/**
 * Asks the editor's language servers. A model names a symbol and at most a file, because it cannot know offsets: `subtotal`,
 * `Cart.total in src/cart.js`, and for the symbols of a file its path.
 */
export const createFindSymbolTool = workspaceTool(findSymbolDeclaration, {
  async prepare({ symbol = '', find = '' }, access): Promise<Preparation<ReadPlan | EditsPlan>> {
    const newName = parseRename(find);
    if (newName !== undefined) return planRename(symbol, newName, access);
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
  run: (approved, access, { signal }) =>
    approved.kind === 'edits' ? writeEdits(approved, access, signal) : ask(approved, access, signal),
});

async function planRename(
  given: string,
  newName: string,
  access: UndecidedAccess,
): Promise<Preparation<ReadPlan | EditsPlan>> {
  const { file, ...symbol } = parseSymbol(given);
  if (symbol.name === '') return { ok: false, error: 'Name the symbol to rename.' };
  const isInFile = !isTop(file ?? '');
  const found = await findPlace(isInFile ? file : undefined, access);
  return found.ok ? access.prepareRename({ symbol, newName, target: found.target, isInFile }) : found;
}

async function plan(file: string | undefined, query: FindQuery, access: PathAccess): Promise<Preparation<ReadPlan>> {
  const found = await findPlace(file, access);
  return found.ok ? { ok: true, plan: { kind: 'read', target: found.target, query } } : found;
}

/** The file, or the first workspace folder. */
async function findPlace(file: string | undefined, access: PathAccess): Promise<Found> {
  if (file !== undefined) return findFile(file, access);
  const [root] = access.roots();
  return root ? find(root.path, access) : { ok: false, error: 'No folder is open, so there is nothing to search.' };
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

function looksLikeFile(symbol: string): boolean {
  return /[\\/]|\.[a-z]{1,4}$/i.test(symbol.trim()) && !/[\s()]/.test(symbol.trim());
}
