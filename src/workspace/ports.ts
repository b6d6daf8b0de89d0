/** What the workspace tools need from the world. `node/` implements these on plain Node, `host/` over VS Code. */

export type FileKind = 'file' | 'directory' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
  readonly isSymbolicLink: boolean;
}

/** A text as the person sees it: an unsaved buffer where one is open, else the file. */
export interface OpenText {
  /** Line ends and BOM exactly as they will be written; `\uFEFF` first when the file has one. */
  readonly text: string;
  readonly isDirty: boolean;
}

/**
 * Files by absolute path. Methods reject with an `Error` whose message names the path; a missing file is
 * `undefined` where the type says so and an error elsewhere.
 */
export interface FileSystem {
  /** Follows symbolic links; `undefined` when nothing is there or a parent is not a folder. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path with all links resolved; `undefined` as for `stat`. Loops and other errors reject. */
  realPath(path: string): Promise<string | undefined>;
  /**
   * Up to `maxBytes` bytes of the file on disk from byte `offset` on; fewer only at its end. For sniffing, and for
   * files too big to load whole. Only regular files are read: a device or a pipe is refused without waiting on it.
   */
  readSlice(path: string, offset: number, maxBytes: number): Promise<Uint8Array>;
  listDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  /** The text the person sees, for a UTF-8 file. Rejects when it is not text; see `TextDecodeError`. */
  openText(path: string): Promise<OpenText>;
  /**
   * Replaces the whole text, buffer and file, atomically, and creates missing folders. Rejects with `StaleFileError`,
   * having written nothing, when the current text is not `expected` any more (`null`: the file must not exist).
   */
  writeText(path: string, text: string, expected: string | null): Promise<void>;
}

/** The file changed between approval and writing. */
export class StaleFileError extends Error {
  override readonly name = 'StaleFileError';
}

/** The file is not UTF-8 text. */
export class TextDecodeError extends Error {
  override readonly name = 'TextDecodeError';
}

export interface CommandRequest {
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Variables to add to the environment that commands get. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** How a command ended. `output` is stdout and stderr in arrival order, head and tail when it was long. */
export interface CommandOutcome {
  readonly exitCode: number | null;
  /** The signal's name when one ended it. */
  readonly signalName: string | null;
  readonly ended: 'exited' | 'timed_out' | 'stopped' | 'failed_to_start';
  readonly output: string;
  /** Bytes left out between head and tail; `output` has a line there that says so. */
  readonly omittedBytes: number;
  /** The command had ended but had left processes running, which were ended too. */
  readonly endedBackground?: boolean | undefined;
}

export interface CommandRunner {
  /** The shell that commands run in, for the tool's description: `bash`, `sh`, `powershell`, `cmd`. */
  readonly shellName: string;
  /**
   * Runs one command in its own process group with closed stdin. Never rejects: what went wrong is in the outcome.
   * `onOutput` gets decoded text as it arrives. Aborting `signal` ends the whole group: TERM, KILL after 2 s.
   */
  run(
    request: CommandRequest,
    options: { readonly signal: AbortSignal; readonly onOutput: (text: string) => void },
  ): Promise<CommandOutcome>;
}

export interface TextQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** Absolute path of the folder or file to search. */
  readonly path: string;
  /** Glob on the path relative to `path`, such as `**\/*.ts`. */
  readonly include?: string | undefined;
  readonly maxMatches: number;
}

export interface TextMatch {
  /** Absolute path. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line's text, cut to a sensible length. */
  readonly text: string;
}

export interface TextSearchOutcome {
  readonly matches: readonly TextMatch[];
  /** True when there were more than `maxMatches`. */
  readonly isCut: boolean;
}

export interface TextSearch {
  /** Honours ignore files, skips binaries. Rejects with a message the model can act on for an invalid pattern. */
  search(query: TextQuery, options: { readonly signal: AbortSignal }): Promise<TextSearchOutcome>;
}

/** One folder of the workspace. */
export interface Root {
  readonly name: string;
  /** Absolute path as the person opened it. */
  readonly path: string;
}

export interface WorkspacePorts {
  readonly fileSystem: FileSystem;
  readonly commandRunner: CommandRunner;
  readonly textSearch: TextSearch;
}
