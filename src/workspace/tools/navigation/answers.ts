import type { CodePosition } from '../../codeNavigation';
import type { GuardedPath } from '../../plans';
import { codeLine, listPlaces, placesOf } from './describePlaces';
import { filesWithWord, resolveInFile, resolveInWorkspace, type NameSources, type Resolved } from './resolveName';
import { safeHover } from './safeHover';
import { isNamed, type Find, type SymbolName } from './symbolQuery';
import { nameAt } from './wordPlaces';

/** Opened so that a server without a project's configuration counts them. */
export const MAX_LOADED = 40;
const MAX_OTHERS = 3;
const MAX_NAMED_FILES = 5;
const MAX_SYMBOLS = 100;
/** The same words as a search's. */
const LEFT_OUT = 'Ignored, binary, very big and protected files (such as .env) were not searched.';

/** The answer about one symbol. Rejects as the port does. */
export async function answerAbout(
  symbol: SymbolName,
  find: Exclude<Find, 'symbols'>,
  file: GuardedPath | undefined,
  sources: NameSources,
): Promise<string> {
  const found = await findOne(symbol, file, sources);
  if (!found.ok) return found.text;
  const { position, others } = found;
  const answer =
    find === 'hover'
      ? await hoverAt(position, symbol, sources)
      : find === 'types'
        ? await typesAround(position, symbol, sources)
        : await related(find, position, symbol, sources);
  if (others.length === 0) return answer;
  const more = others.length > MAX_OTHERS ? `\n… ${others.length - MAX_OTHERS} more` : '';
  return `${answer}\n[Other symbols "${symbol.name}":]\n${await listed(others.slice(0, MAX_OTHERS), sources)}${more}`;
}

export type FoundOne =
  | { readonly ok: true; readonly position: CodePosition; readonly others: readonly CodePosition[] }
  /** For the model: no symbol, or several. */
  | { readonly ok: false; readonly text: string };

/** The symbol that is meant. `isStrict`: not the likely one of several. Rejects as the port does. */
export async function findOne(
  symbol: SymbolName,
  file: GuardedPath | undefined,
  sources: NameSources,
  { isStrict = false }: { readonly isStrict?: boolean } = {},
): Promise<FoundOne> {
  const resolved = await (file ? resolveInFile(symbol, file, sources) : resolveInWorkspace(symbol, sources));
  if (resolved.kind === 'unknown') return { ok: false, text: await describeUnknown(symbol, file, resolved, sources) };
  const isClear = resolved.kind === 'found' && !(isStrict && resolved.others.length > 0);
  if (isClear) return { ok: true, position: resolved.position, others: resolved.others };
  const several = resolved.kind === 'found' ? [resolved.position, ...resolved.others] : resolved.candidates;
  const candidates = await listed(several, sources);
  const example = candidates.replace(/:\d+: .*/s, '');
  const text = `There are several symbols "${symbol.name}". Add a file, such as "${symbol.name} in ${example}":\n${candidates}`;
  return { ok: false, text };
}

async function related(
  find: 'definition' | 'references' | 'implementations' | 'callers',
  position: CodePosition,
  { name }: SymbolName,
  sources: NameSources,
): Promise<string> {
  const { navigation, files, signal } = sources;
  const withWord = find === 'definition' ? [] : await filesWithWord(name, sources);
  await navigation.load(withWord.slice(0, MAX_LOADED), { signal });
  const positions = await navigation.related(find, position, { signal });
  const definitions = find === 'references' ? await navigation.related('definition', position, { signal }) : [];
  const paths = [position, ...definitions, ...positions].map(({ path }) => path);
  const shown = await files.look(paths, signal);
  const first = placesOf(definitions, shown);
  const places = placesOf(positions, shown, first[0] ?? placesOf([position], shown)[0]);
  if (places.length === 0) return `The language server knows no ${find} of "${name}" in the workspace. ${LEFT_OUT}`;
  const list = listPlaces(places);
  if (find !== 'references') return list;
  const elsewhere = await wordElsewhere(withWord, new Set(places.map(({ file }) => file.displayPath)), sources);
  return elsewhere === '' ? list : `${list}\n${elsewhere}`;
}

/** The types directly above and below a type. A server without that knowledge is asked for implementations instead. */
async function typesAround(position: CodePosition, symbol: SymbolName, sources: NameSources): Promise<string> {
  const { navigation, signal } = sources;
  await navigation.load((await filesWithWord(symbol.name, sources)).slice(0, MAX_LOADED), { signal });
  const lists: string[] = [];
  for (const [relation, title] of [
    ['supertypes', 'Supertypes'],
    ['subtypes', 'Subtypes'],
  ] as const) {
    const list = await listed(await navigation.related(relation, position, { signal }), sources);
    if (list !== '') lists.push(`${title}:\n${list}`);
  }
  if (lists.length > 0) return lists.join('\n');
  const list = await related('implementations', position, symbol, sources);
  return `The language server knows no types above or below "${symbol.name}". Implementations:\n${list}`;
}

/** Names the files with a word that are not counted, by display path, as far as they may be shown; empty: there are none. */
export async function wordElsewhere(
  withWord: readonly string[],
  isCounted: ReadonlySet<string>,
  { files, signal }: NameSources,
): Promise<string> {
  const shown = await files.look(withWord, signal);
  const names = [...new Set([...shown.values()].map(({ displayPath }) => displayPath))];
  const rest = names.filter((displayPath) => !isCounted.has(displayPath));
  if (rest.length === 0) return '';
  const more = rest.length > MAX_NAMED_FILES ? ` and ${rest.length - MAX_NAMED_FILES} more` : '';
  return `[The word is also in ${rest.slice(0, MAX_NAMED_FILES).join(', ')}${more}.]`;
}

async function hoverAt(position: CodePosition, { name }: SymbolName, sources: NameSources): Promise<string> {
  const text = await safeHover(position, sources);
  if (text !== undefined) return text;
  const line = await listed([position], sources);
  return line === '' ? `The language server knows nothing of "${name}". ${LEFT_OUT}` : line;
}

/** The outline of a file, or the symbols of the workspace with such a name. Rejects as the port does. */
export async function answerSymbols(
  symbol: SymbolName,
  file: GuardedPath | undefined,
  sources: NameSources,
): Promise<string> {
  const { navigation, files, signal } = sources;
  if (!file) {
    const found = await navigation.findSymbols(symbol.name, { signal });
    const shown = await files.look(
      found.map(({ path }) => path),
      signal,
    );
    const positions = found.map((one) => nameAt(shown.get(one.path)?.lines ?? [], one, one.name));
    const places = placesOf(positions, shown);
    return places.length > 0 ? listPlaces(places) : `No symbol is like "${symbol.name}". ${LEFT_OUT}`;
  }
  const shown = (await files.look([file.path], signal)).get(file.path);
  if (!shown) return `"${file.displayPath}" is no text that can be shown.`;
  const all = await navigation.symbolsOf(file.path, { signal });
  const symbols = symbol.name === '' ? all : all.filter((one) => isNamed(one, symbol));
  if (symbols.length === 0) return `The language server knows no symbols in ${shown.displayPath}.`;
  const lines = symbols.slice(0, MAX_SYMBOLS).map((one) => {
    const { line } = nameAt(shown.lines, one, one.name.replace(/\(.*$/s, ''));
    return `${line}: ${codeLine(shown, line)}`;
  });
  const left = symbols.length - lines.length;
  return [`${shown.displayPath}:`, ...new Set(lines), ...(left > 0 ? [`… ${left} more`] : [])].join('\n');
}

async function describeUnknown(
  { name }: SymbolName,
  file: GuardedPath | undefined,
  { similar }: Resolved & { readonly kind: 'unknown' },
  sources: NameSources,
): Promise<string> {
  const where = file ? ` in ${file.displayPath}` : '';
  const list = await listed(similar, sources);
  if (list !== '') return `The language server knows no symbol "${name}"${where}. Similar ones:\n${list}`;
  return `The language server knows no symbol "${name}"${where}. Try search_text. ${LEFT_OUT}`;
}

async function listed(positions: readonly CodePosition[], { files, signal }: NameSources): Promise<string> {
  const shown = await files.look(
    positions.map(({ path }) => path),
    signal,
  );
  return listPlaces(placesOf(positions, shown));
}
