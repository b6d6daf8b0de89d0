/** What the workspace tools need from the world. `node/` implements these on plain Node, `host/` over VS Code. */

import type { Disposable } from '../util/disposable';

export type FileKind = 'file' | 'directory' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** A file that nobody is meant to write: its permissions say so, or the editor's settings. */
  readonly isReadOnly?: boolean | undefined;
  /** Only of virtual files, whose links nobody can follow to their end. */
  readonly isSymbolicLink?: true | undefined;
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
 * Files by absolute path, on disk or virtual (`virtualPathOf`). Methods reject with an `Error` whose message names the path; a missing file is
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
   * having written nothing, when the current text is not `expected` any more (`null`: the file must not exist), and with
   * `ReadOnlyFileError` when `stat` says that it is read-only.
   */
  writeText(path: string, text: string, expected: string | null): Promise<void>;
}

/** The file changed between approval and writing. */
export class StaleFileError extends Error {
  override readonly name = 'StaleFileError';
}

/** The file is one that nobody is meant to write. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError';
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
  /** Absent: it may do whatever the person may do. A runner that cannot confine starts nothing. */
  readonly confinement?: Confinement | undefined;
  /** In a terminal the person sees, if the runner has one. */
  readonly inTerminal?: boolean | undefined;
}

/** What a confined command may touch besides reading. */
export interface Confinement {
  readonly allowsNetwork: boolean;
  /** Real paths of the folders it may write to. */
  readonly writable: readonly string[];
}

/**
 * How a command ended. `output` is stdout and stderr in arrival order: head and tail when it was long, and a line in
 * their place for bytes that are no text.
 */
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
  /** Process ids of what could not be ended, such as what changed its user. */
  readonly surviving?: readonly number[] | undefined;
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

export interface BackgroundCommand {
  /** `output:…`, under which `CommandOutputs` has what it printed. */
  readonly id: string;
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** The last line it printed so far, cut to a sensible length; empty when there is none. */
  readonly lastLine: string;
}

/** A command can end, or fail to start, before anybody went on. */
export type BackgroundStart =
  | { readonly kind: 'running'; readonly id: string; readonly output: string }
  | { readonly kind: 'ended'; readonly outcome: CommandOutcome }
  | { readonly kind: 'refused'; readonly reason: string };

/** Commands that go on after the call that started them, at most until this process ends. */
export interface BackgroundCommands {
  /** Resolves with the first output, or after a short while without any. Aborting `signal` before that ends it. */
  start(
    request: Omit<CommandRequest, 'timeoutMs' | 'inTerminal'>,
    options: { readonly signal: AbortSignal },
  ): Promise<BackgroundStart>;
  /** What runs, oldest first. */
  list(): readonly BackgroundCommand[];
  /** Ends one with everything it started. False: there is none of that id. */
  stop(id: string): Promise<boolean>;
  /** Called when one starts, ends or prints, not more often than people can read. */
  onChange(listener: () => void): Disposable;
}

/** What commands printed, by paths `output:…`; read like files, and gone after a while. */
export type CommandOutputs = Pick<FileSystem, 'stat' | 'readSlice' | 'openText'>;

export interface CommandConfinement {
  /** Why commands cannot be confined on this machine and what to do about it, for people; `undefined`: they can. */
  findProblem(): Promise<string | undefined>;
}

export interface TextQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** Absolute path of the folder or file to search. */
  readonly path: string;
  /** Glob on the path relative to `path`, such as `**\/*.ts`. */
  readonly include?: string | undefined;
  /** Says which files are searched, by their `/`-separated path relative to `path`. Not asked about `path` itself. */
  readonly isWanted?: ((relativePath: string) => boolean) | undefined;
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
  /** Set when there were too many files to look at: how many were. */
  readonly filesSearched?: number | undefined;
}

export interface TextSearch {
  /** Honours ignore files, skips binaries. Rejects with a message the model can act on for an invalid pattern. */
  search(query: TextQuery, options: { readonly signal: AbortSignal }): Promise<TextSearchOutcome>;
}

/** What a language server or a linter says about a line of a file. */
export interface Problem {
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Who says it: `ts`, `eslint`. */
  readonly source?: string | undefined;
}

/** Follows what is said about one file while it changes. */
export interface ProblemWatch {
  /** What was said before; `undefined` when nobody had looked at the file yet. */
  readonly before: readonly Problem[] | undefined;
  /** What is said once there were reports and then none for a moment, or when none come in time. Never rejects. */
  after(options: { readonly signal: AbortSignal }): Promise<readonly Problem[]>;
  dispose(): void;
}

/** The problems that an editor knows. Files are given by absolute path; one that is not there has no problems. */
export interface Diagnostics {
  /** Has the file looked at where nobody has yet, and waits for that as `ProblemWatch.after` does. Never rejects. */
  read(path: string, options: { readonly signal: AbortSignal }): Promise<readonly Problem[]>;
  /** To be called before a change. The caller disposes of what it gets. Never rejects. */
  watch(path: string, options: { readonly signal: AbortSignal }): Promise<ProblemWatch>;
}

/** One folder of the workspace. */
export interface Root {
  readonly name: string;
  /** Absolute path as the person opened it; of a folder that is not on disk, see `virtualPathOf`. */
  readonly path: string;
}

export interface WorkspacePorts {
  readonly fileSystem: FileSystem;
  readonly commandRunner: CommandRunner;
  readonly textSearch: TextSearch;
  /** Absent: no command goes on after its call. */
  readonly backgroundCommands?: BackgroundCommands | undefined;
  /** Absent: what is left out of a result is lost. */
  readonly commandOutputs?: CommandOutputs | undefined;
  /** Absent: none can be confined. */
  readonly confinement?: CommandConfinement | undefined;
  /** Absent where no editor is. */
  readonly diagnostics?: Diagnostics | undefined;
}
