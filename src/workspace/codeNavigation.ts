/** The port to the language servers of an editor. `host/` implements it with VS Code. */

import type { Signal } from '../sdk/platform';

/** A place in a text, as editors count. */
export interface CodePosition {
  /** Absolute path. Any file: a library, a protected file, a file outside the workspace. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly character: number;
}

/** `position` is where the declaration begins. Its name comes at or after that. */
export interface CodeSymbol extends CodePosition {
  readonly name: string;
  /** Of the thing, in words of the editor: `function`, `class`, `property`. */
  readonly kind: string;
  /** The class or namespace around it. */
  readonly container?: string | undefined;
}

/** `supertypes` and `subtypes`: directly above and below a type. Few language servers know them. */
export type CodeRelation = 'definition' | 'references' | 'implementations' | 'callers' | 'supertypes' | 'subtypes';

/** A replacement in a text. Lines and characters are counted as in `CodePosition`. */
export interface CodeChange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/** The changes of one file. Nothing about them is checked: they may overlap or be of any file. */
export interface ChangedCode {
  /** Absolute path. Any file. */
  readonly path: string;
  /** The text that the changes belong to, as the editor holds it: without byte order mark, with any line ends. */
  readonly text: string;
  readonly changes: readonly CodeChange[];
}

/** The changes of a rename, or why there are none. The words of a server are left out: they may quote any file. */
export type CodeRename =
  | { readonly ok: true; readonly files: readonly ChangedCode[] }
  | { readonly ok: false; readonly why: 'refused' | 'unknown' | 'moves_files' | 'no_file' | 'changed' };

interface Wait {
  readonly signal: Signal;
}

/** What language servers know. Except for `isReady`, each method rejects if there is no answer in time. */
export interface CodeNavigation {
  /**
   * Whether a language server answers about code of this workspace. For a limited time after the first call, calls wait for an
   * answer. Stays true once it was. Never rejects.
   */
  isReady(): Promise<boolean>;
  /** Opens files without showing them: without a project's configuration, servers know only open files. */
  load(paths: readonly string[], wait: Wait): Promise<void>;
  /** Symbols of the workspace with such a name, and similar ones. */
  findSymbols(name: string, wait: Wait): Promise<readonly CodeSymbol[]>;
  /** The symbols of a file, in its order, without the local ones of functions. */
  symbolsOf(path: string, wait: Wait): Promise<readonly CodeSymbol[]>;
  /** The places that stand in this relation to the symbol at a position. */
  related(relation: CodeRelation, position: CodePosition, wait: Wait): Promise<readonly CodePosition[]>;
  /** Signature and documentation of the symbol at a position, as Markdown; empty: nothing is known. */
  hover(position: CodePosition, wait: Wait): Promise<string>;
  /** All changes that give the symbol at a position a new name. Changes nothing. */
  rename(position: CodePosition, newName: string, wait: Wait): Promise<CodeRename>;
}
