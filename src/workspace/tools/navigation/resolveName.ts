import type { CodeNavigation, CodePosition, CodeSymbol } from '../../codeNavigation';
import { guardPath } from '../../paths/guardPath';
import type { GuardedPath } from '../../plans';
import { searchUnprotected } from '../reading/searchUnprotected';
import type { WorkspaceAccess } from '../workspaceAccess';
import { rankPath } from './describePlaces';
import type { ShownFile, ShownFiles } from './shownFiles';
import { isNamed, type SymbolName } from './symbolQuery';
import { hasWord, nameAt, seemsToDeclare, wordPlaces } from './wordPlaces';

export interface NameSources {
  readonly navigation: CodeNavigation;
  readonly access: WorkspaceAccess;
  readonly files: ShownFiles;
  readonly signal: AbortSignal;
}

/** `others`: further declarations of that name, less likely to be meant. */
export type Resolved =
  | { readonly kind: 'found'; readonly position: CodePosition; readonly others: readonly CodePosition[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly CodePosition[] }
  | { readonly kind: 'unknown'; readonly similar: readonly CodePosition[] };

const MAX_TRIED = 5;
const MAX_CANDIDATES = 8;
const MAX_SIMILAR = 5;
const MAX_MATCHES = 400;

/** The place of the symbol that a name means in one file. Rejects as the port does. */
export async function resolveInFile(wanted: SymbolName, target: GuardedPath, sources: NameSources): Promise<Resolved> {
  const { navigation, files, signal } = sources;
  const { path } = target;
  const file = (await files.look([path], signal)).get(path);
  if (!file) return { kind: 'unknown', similar: [] };
  const symbols = await navigation.symbolsOf(path, { signal });
  const named = symbols.filter((symbol) => isNamed(symbol, wanted));
  const places = firstOfEach(named.map((symbol) => nameAt(file.lines, { ...symbol, path }, wanted.name)));
  if (places.length > 0) return choose(places, new Map([[path, file]]));
  for (const position of wordPlaces(path, file.lines, wanted.name).slice(0, MAX_TRIED)) {
    const definitions = await navigation.related('definition', position, { signal });
    if (definitions.length > 0) return { kind: 'found', position, others: [] };
  }
  const start = wanted.name.toLowerCase().slice(0, 4);
  const similar = symbols.filter(({ name }) => name.toLowerCase().includes(start)).slice(0, MAX_SIMILAR);
  return { kind: 'unknown', similar: similar.map((symbol) => ({ ...symbol, path })) };
}

/** The place of the symbol that a name means in the workspace. Rejects as the port and the text search do. */
export async function resolveInWorkspace(wanted: SymbolName, sources: NameSources): Promise<Resolved> {
  const { navigation, files, signal } = sources;
  const found = await navigation.findSymbols(wanted.name, { signal });
  const shown = await files.look(
    found.map(({ path }) => path),
    signal,
  );
  const visible = found.filter(({ path }) => shown.has(path));
  const exact = visible.filter((symbol) => isNamed(symbol, wanted));
  const places = firstOfEach(exact.map((symbol) => nameAt(shown.get(symbol.path)!.lines, symbol, wanted.name)));
  if (places.length > 0) return choose(await withoutAliases(places, sources), shown);
  const byText = await resolveByText(wanted, sources);
  return byText ?? { kind: 'unknown', similar: visible.slice(0, MAX_SIMILAR) };
}

/** The files of the workspace that have a name as a word, as a text search finds them, likely declarations first. */
export async function filesWithWord(
  name: string,
  { access, signal }: Pick<NameSources, 'access' | 'signal'>,
): Promise<readonly string[]> {
  const ranks = new Map<string, number>();
  for (const root of access.roots()) {
    const guarded = await guardPath(root.path, { roots: access.roots(), fileSystem: access.ports.fileSystem });
    if (!guarded.ok) continue;
    const { path, realPath } = guarded.path;
    const query = { pattern: name, isRegex: false, isCaseSensitive: true, path: realPath, maxMatches: MAX_MATCHES };
    const { matches } = await searchUnprotected(query, guarded.path, access, signal);
    for (const match of matches) {
      if (!hasWord(match.text, name)) continue;
      const file = path + match.path.slice(realPath.length);
      const rank = rankPath(match.path) + (seemsToDeclare(match.text, name) ? 0 : 3);
      ranks.set(file, Math.min(rank, ranks.get(file) ?? rank));
    }
  }
  return [...ranks].sort(([, a], [, b]) => a - b).map(([file]) => file);
}

/** For servers that have no file of the project open yet, or know no symbols of the workspace. */
async function resolveByText(wanted: SymbolName, sources: NameSources): Promise<Resolved | undefined> {
  const { navigation, files, signal } = sources;
  const paths = (await filesWithWord(wanted.name, sources)).slice(0, MAX_TRIED);
  const shown = await files.look(paths, signal);
  const places: Candidate[] = [];
  for (const [path, { lines }] of shown) {
    const symbols = await navigation.symbolsOf(path, { signal });
    const named = symbols.filter((symbol) => isNamed(symbol, wanted));
    places.push(...firstOfEach(named.map((symbol) => nameAt(lines, { ...symbol, path }, wanted.name))));
  }
  if (places.length > 0) return choose(await withoutAliases(places, sources), shown);
  // It may be a local variable, or come from a library.
  for (const [path, { lines }] of shown) {
    const [position] = wordPlaces(path, lines, wanted.name);
    const definitions = position ? await navigation.related('definition', position, { signal }) : [];
    if (position && definitions.length > 0) return { kind: 'found', position, others: [] };
  }
  return undefined;
}

type Candidate = CodeSymbol;

/** One place for overloads and merged declarations. */
function firstOfEach(symbols: readonly Candidate[]): readonly Candidate[] {
  const first = new Map<string, Candidate>();
  for (const symbol of symbols) {
    const key = JSON.stringify([symbol.path, symbol.container ?? '']);
    if (!first.has(key)) first.set(key, symbol);
  }
  return [...first.values()];
}

/** Without symbols that are only other names of one, such as imports and exports. */
async function withoutAliases(
  places: readonly Candidate[],
  { navigation, signal }: NameSources,
): Promise<readonly Candidate[]> {
  if (places.length < 2 || places.length > MAX_CANDIDATES) return places;
  const keys = await Promise.all(
    places.map(async (place) => {
      const [definition = place] = await navigation.related('definition', place, { signal });
      return `${definition.path}:${definition.line}`;
    }),
  );
  const own = places.map(({ path, line }) => `${path}:${line}`);
  const isKept = (index: number): boolean => {
    const isOwn = keys[index] === own[index];
    return isOwn || (!own.includes(keys[index]!) && keys.indexOf(keys[index]!) === index);
  };
  return places.filter((_place, index) => isKept(index));
}

/** Source files come before tests; functions and classes before variables, which may hold an import; members are last. */
function choose(places: readonly Candidate[], shown: ReadonlyMap<string, ShownFile>): Resolved {
  const rank = ({ path, kind, container = '' }: Candidate): number => {
    const isInside = MEMBERS.has(kind) || (VARIABLES.has(kind) && container !== '');
    const weakness = isInside ? 2 : VARIABLES.has(kind) ? 1 : 0;
    return rankPath(shown.get(path)?.displayPath ?? path) * 3 + weakness;
  };
  const best = Math.min(...places.map(rank));
  const likely = places.filter((place) => rank(place) === best);
  const [position, ...more] = likely;
  if (!position || more.length > 0) return { kind: 'ambiguous', candidates: likely };
  return { kind: 'found', position, others: places.filter((place) => place !== position) };
}

const MEMBERS: ReadonlySet<string> = new Set(['property', 'field', 'key', 'string']);
const VARIABLES: ReadonlySet<string> = new Set(['variable', 'constant']);
