/** A symbol as a model names it. */
export interface SymbolName {
  readonly name: string;
  /** The class or namespace that it is in. */
  readonly container?: string | undefined;
}

/** The question about a symbol. */
export type Find = 'definition' | 'references' | 'implementations' | 'callers' | 'types' | 'hover' | 'symbols';

/** `Cart.total()`, `Cart#total`, `cart::total` or `total in src/cart.js`. */
export function parseSymbol(input: string): SymbolName & { readonly file?: string | undefined } {
  const [, text = input, file] = /^(.*?)\s+in\s+(?:file\s+)?(.+)$/s.exec(unquoted(input)) ?? [];
  const parts = unquoted(text)
    .replace(/\(.*$/s, '')
    .split(/::|->|[.#]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const container = parts.at(-2);
  return {
    name,
    ...(container !== undefined && container !== 'this' && container !== 'self' && { container }),
    ...(file !== undefined && { file: unquoted(file) }),
  };
}

/** The question, by any word that models use for it; `undefined`: not known. */
export function parseFind(input: string): Find | undefined {
  const word = input.toLowerCase().replaceAll(/[^a-z]/g, '');
  return WORDS.find(([pattern]) => pattern.test(word))?.[1];
}

/** The new name in `rename to sum`; `undefined`: this is another question. */
export function parseRename(input: string): string | undefined {
  const [, name] = /^\s*rename(?:[_\s]*(?:symbol\b)?[_\s]*(?:to|as|into)\b)?[\s:]*(.*)$/is.exec(input) ?? [];
  return name === undefined ? undefined : unquoted(name);
}

/** The first that matches. */
const WORDS: readonly (readonly [RegExp, Find])[] = [
  [/^$|ref|usage|uses/, 'references'],
  [/impl/, 'implementations'],
  [/^types$|hierarchy|(?:sub|super|base|parent|child|derived)(?:type|class)|inherit|extends/, 'types'],
  [/call/, 'callers'],
  [/symbol|outline/, 'symbols'],
  [/hover|type|signature|doc|info/, 'hover'],
  [/def|decl/, 'definition'],
];

function unquoted(text: string): string {
  return text.trim().replace(/^[`'"]+|[`'"]+$/g, '');
}

/** Whether a symbol of the editor is the one that is named. VS Code's TypeScript writes `total()` for methods. */
export function isNamed(
  symbol: { readonly name: string; readonly container?: string | undefined },
  wanted: SymbolName,
): boolean {
  const name = symbol.name.replace(/\(.*$/s, '');
  if (name !== wanted.name && !name.endsWith(`.${wanted.name}`)) return false;
  return (
    wanted.container === undefined ||
    symbol.container === undefined ||
    symbol.container.split('.').at(-1) === wanted.container
  );
}
