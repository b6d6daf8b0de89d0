/** Where the grammars come from. */
export interface GrammarSource {
  /** The module `@vscode/tree-sitter-wasm`. */
  readonly module: () => unknown;
  /** The bytes of one of its WebAssembly files, by its name without the ending, such as `tree-sitter-bash`. */
  readonly read: (name: string) => Promise<Uint8Array>;
}
