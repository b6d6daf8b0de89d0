import type { Signal } from '../../../sdk/platform';
import type { CodeNavigation, CodeSymbol } from '../../codeNavigation';
import { findPlaces, type PlaceFinding } from '../../paths/findPlaces';
import { displayPath } from '../../paths/roots';
import { isNamed, parseSymbol } from './symbolQuery';

/** The declaration of a symbol that an answer names. */
export interface FoundSymbol {
  /** As the answer names it. */
  readonly name: string;
  /** The display path of its file. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** A server can know as many symbols as it likes. */
const MAX_EXACT = 50;
/** Imports and properties of the same name count only where nothing else is declared so. */
const DECLARATIONS: ReadonlySet<string> = new Set([
  ...['function', 'class', 'interface', 'method', 'enum', 'struct', 'module', 'namespace', 'constant', 'constructor'],
]);

/** Whether an answer can mean a symbol with this: `applyDiscount`, `Cart.total`. */
export function isSymbolName(name: string): boolean {
  return name.length >= 3 && name.length <= 80 && SYMBOL.test(name);
}

const SYMBOL = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*){0,3}$/u;

/**
 * Where the symbol with this name is declared, if a language server knows exactly one such place in a listed file. Only for
 * the person's eyes, because it tells what exists. Rejects as the port does.
 */
export async function findSymbolPlace(
  name: string,
  { navigation, ...finding }: PlaceFinding & { readonly navigation: Pick<CodeNavigation, 'findSymbols'> },
  { signal }: { readonly signal: Signal },
): Promise<FoundSymbol | undefined> {
  const wanted = parseSymbol(name);
  const found = await navigation.findSymbols(wanted.name, { signal });
  const exact = found.filter((symbol) => isNamed(symbol, wanted)).slice(0, MAX_EXACT);
  if (exact.length === 0) return undefined;
  const listed = new Set(await finding.listNames());
  const shown = exact.flatMap((symbol) => {
    const file = displayPath(symbol.path, finding.roots);
    return listed.has(file) ? [{ ...symbol, file }] : [];
  });
  const declared = shown.filter(({ kind }) => DECLARATIONS.has(kind));
  const [place] = onePlace(declared.length > 0 ? declared : shown);
  if (!place) return undefined;
  // The file may be a link, or gone. Another one with such an ending is not meant.
  const [file] = await findPlaces([place.file], { ...finding, listNames: async () => [] });
  return file && { name, path: file.path, line: place.line };
}

/** Empty where there are several. */
function onePlace<Place extends CodeSymbol>(symbols: readonly Place[]): readonly Place[] {
  const places = new Map(symbols.map((symbol) => [`${symbol.path}\n${symbol.line}`, symbol]));
  return places.size === 1 ? [...places.values()] : [];
}
