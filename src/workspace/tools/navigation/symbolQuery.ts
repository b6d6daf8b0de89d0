import { withoutEnding } from '../../../util/text/withoutEnding';

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
  const { text, file } = apart(unquoted(input));
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

/** The text before the first ` in `, and the file after it. */
function apart(input: string): { readonly text: string; readonly file?: string | undefined } {
  const at = input.search(/\sin\s/);
  const file =
    at < 0
      ? ''
      : input
          .slice(at + ' in '.length)
          .trim()
          .replace(/^file\s+/, '');
  return file === '' ? { text: input } : { text: input.slice(0, at), file };
}

/** The question, by any word that models use for it; `undefined`: not known. */
export function parseFind(input: string): Find | undefined {
  const word = input.toLowerCase().replaceAll(/[^a-z]/g, '');
  return WORDS.find(([pattern]) => pattern.test(word))?.[1];
}

/** The new name in `rename to sum`; `undefined`: this is another question. */
export function parseRename(input: string): string | undefined {
  const [, name] = /^\s*rename(?:[_\s]{0,20}(?:symbol\b)?[_\s]{0,20}(?:to|as|into)\b)?[\s:]*(.*)$/is.exec(input) ?? [];
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

const QUOTES = '`\'"';

function unquoted(text: string): string {
  return withoutEnding(text.trim(), QUOTES).replace(/^[`'"]+/, '');
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
