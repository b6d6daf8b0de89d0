import { setFlagsFromString } from 'node:v8';
import type * as GrammarPackage from '@vscode/tree-sitter-wasm';
import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import type { GrammarSource } from './grammarSource';

export type GrammarName = 'bash' | 'powershell';

/** How much work V8 lets a WebAssembly function do before it optimizes it: the default of Node 20 (`node --v8-options`). */
const USUAL_BUDGET = 1_800_000;
const LARGEST_BUDGET = 2 ** 31 - 1;

/** Parses with one grammar. The tree is only valid while `use` runs. */
export interface Grammar {
  parse<T>(text: string, use: (root: Node) => T): T;
}

/**
 * Loads each grammar on first use and keeps it. Rejects if a file is missing or cannot be compiled; the next call
 * retries.
 */
export class Grammars {
  readonly #source: GrammarSource;
  readonly #loading = new Map<GrammarName, Promise<Grammar>>();

  constructor(source: GrammarSource) {
    this.#source = source;
  }

  load(name: GrammarName): Promise<Grammar> {
    const known = this.#loading.get(name);
    if (known) return known;
    const loading = loadGrammar(name, this.#source);
    this.#loading.set(name, loading);
    loading.catch(() => this.#loading.delete(name));
    return loading;
  }
}

async function loadGrammar(name: GrammarName, source: GrammarSource): Promise<Grammar> {
  const { Parser: TreeParser, Language } = unwrap((await source.module()) as Wrapped);
  // Given the bytes, the module does not look for its file, which a bundle would not find.
  const options = { wasmBinary: await source.read('tree-sitter'), locateFile: (file: string) => file };
  await TreeParser.init(options);
  const parser = new TreeParser();
  const wasm = await source.read(`tree-sitter-${name}`);
  parser.setLanguage(await withoutOptimizing(() => Language.load(wasm)));
  return { parse: (text, use) => parseWith(parser, text, use) };
}

/**
 * Keeps Node 20 from optimizing the WebAssembly that `load` compiles. It would optimize the scanner of Bash, a function of
 * 160 kB, in the background for a second after the first command, and wait for that before the process ends. Later versions
 * of Node do not wait. V8 reads the budget when a module is compiled.
 */
async function withoutOptimizing<T>(load: () => Promise<T>): Promise<T> {
  if (!process.version.startsWith('v20.')) return load();
  setFlagsFromString(`--wasm-tiering-budget=${LARGEST_BUDGET}`);
  try {
    return await load();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${USUAL_BUDGET}`);
  }
}

/** The package is CommonJS: Node puts it under `default`, and our build does so once more. */
function unwrap(loaded: Wrapped): Pick<typeof GrammarPackage, 'Parser' | 'Language'> {
  let found: Wrapped = loaded;
  while (!found.Parser && found.default) found = found.default;
  const { Parser: TreeParser, Language } = found;
  if (!TreeParser || !Language) throw new Error('The package of the grammars has an unexpected shape.');
  return { Parser: TreeParser, Language };
}

interface Wrapped extends Partial<typeof GrammarPackage> {
  readonly default?: Wrapped;
}

function parseWith<T>(parser: Parser, text: string, use: (root: Node) => T): T {
  const tree = parser.parse(text);
  if (!tree) throw new Error('The grammar gave no tree.');
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}
