/** The ports of the workspace tools. `node/` implements them with plain Node, `host/` with VS Code. */

import type { CodeNavigation } from './codeNavigation';
import type { EditResult } from './edits/applyEdits';
import type { TextEdit } from './edits/textEdit';
import type { Signal } from '../sdk/platform';
import type { Disposable } from '../util/disposable';

/** The kind of a thing in a folder. `other`: a device, a pipe. */
export type FileKind = 'file' | 'directory' | 'other';

/** What is known of a file without opening it. */
export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** The permissions of the file, or the editor's settings, say that it is read-only. */
  readonly isReadOnly?: boolean | undefined;
  /** Only set for virtual files, because their links cannot be followed. */
  readonly isSymbolicLink?: true | undefined;
}

/** A name in a folder. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
  readonly isSymbolicLink: boolean;
}

/** A text as the person sees it: the unsaved buffer if one is open, else the file. */
export interface OpenText {
  /** With line ends and byte order mark (`\uFEFF`) exactly as they will be written. */
  readonly text: string;
  readonly isDirty: boolean;
}

/**
 * Files by absolute path, on disk or virtual (`virtualPathOf`). Methods reject with an `Error` whose message names the path.
 * A missing file is `undefined` if the type has it, else an error.
 */
export interface FileSystem {
  /** Follows symbolic links. `undefined` if nothing exists there or a parent is not a folder. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path with all links resolved; `undefined` as for `stat`. Loops and other errors reject. */
  realPath(path: string): Promise<string | undefined>;
  /**
   * Up to `maxBytes` bytes of the file on disk from byte `offset` on; fewer only at its end. Reads regular files only:
   * refuses a device or a pipe without waiting for it.
   */
  readSlice(path: string, offset: number, maxBytes: number): Promise<Uint8Array>;
  listDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  /** The text that the person sees. Rejects with `TextDecodeError` if the file is not UTF-8. */
  openText(path: string): Promise<OpenText>;
  /**
   * Replaces the whole text of buffer and file atomically, and creates missing folders. Rejects and writes nothing if the
   * current text is not `expected` (`StaleFileError`; `null`: the file must not exist), or if `stat` says that the file is
   * read-only (`ReadOnlyFileError`).
   */
  writeText(path: string, text: string, expected: string | null): Promise<void>;
  /**
   * Where a symbolic link leads, as it is written; `undefined`: this is no link. Absent where there are no links to
   * follow.
   */
  readonly readLink?: ((path: string) => Promise<string | undefined>) | undefined;
  /**
   * The protected names below some folders, given by real path, of a file with several names (hard links). Absent where
   * files cannot have several names.
   */
  readonly protectedLinks?: ((path: string, folders: readonly string[]) => Promise<ProtectedLinks>) | undefined;
}

/** The cells of a notebook as one text, see `renderCells`. */
export interface CellText extends OpenText {
  readonly cells: number;
  /** How many cells have outputs, which are not in the text. */
  readonly withOutputs: number;
}

/** Notebooks (`.ipynb`) by absolute path, read and written as cells. */
export interface NotebookFiles {
  /** `undefined`: it is none that can be read as cells, so it is a file like any other. */
  read(path: string): Promise<CellText | undefined>;
  /** What the cells have put out, as text; `undefined` as for `read`. */
  readOutputs(path: string): Promise<OpenText | undefined>;
  /** As `FileSystem.writeText`. Outputs and metadata of cells stay. Rejects text that `parseCells` does not read. */
  write(path: string, text: string, expected: string | null): Promise<void>;
}

/** Files as they may be looked at before the right to read is decided: names and kinds, no content. */
export type PathLookup = Omit<FileSystem, 'readSlice' | 'openText' | 'writeText'>;

/** Other names of a file, as absolute paths. `isComplete: false`: the folders have too many files to find all. */
export interface ProtectedLinks {
  readonly names: readonly string[];
  readonly isComplete: boolean;
}

/** The file changed between approval and writing. */
export class StaleFileError extends Error {
  override readonly name = 'StaleFileError';
}

/** The file is read-only. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError';
}

/** The file is not UTF-8 text. */
export class TextDecodeError extends Error {
  override readonly name = 'TextDecodeError';
}

/** A command to run. */
export interface CommandRequest {
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Variables to add to the environment of commands. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Absent: not confined. A runner that cannot confine must not start the command. */
  readonly confinement?: Confinement | undefined;
  /** In a visible terminal, if the runner has one. */
  readonly inTerminal?: boolean | undefined;
}

/** What a confined command may do besides reading. */
export interface Confinement {
  readonly allowsNetwork: boolean;
  /** Real paths of the folders it may write to. */
  readonly writable: readonly string[];
  /** Real paths of folders of programs that it runs. They stay visible below folders that are hidden. Absent: none. */
  readonly programs?: readonly string[] | undefined;
  /**
   * It also sees nothing but these folders and the programs of the system, no files in them that may hold secrets, and it
   * changes no protected file. Never with network.
   */
  readonly isSandbox?: true | undefined;
}

/**
 * How a command ended. `output` is stdout and stderr in the order of arrival. A long output is cut to head and tail, and one
 * line stands for bytes that are not text.
 */
export interface CommandOutcome {
  readonly exitCode: number | null;
  /** The name of the signal that ended it. */
  readonly signalName: string | null;
  readonly ended: 'exited' | 'timed_out' | 'stopped' | 'failed_to_start';
  readonly output: string;
  /** Bytes left out between head and tail. `output` has a line there that says so. */
  readonly omittedBytes: number;
  /** The command ended and left processes running, which were ended too. */
  readonly endedBackground?: boolean | undefined;
  /** Names of variables that it or its output mentions, and that were not passed on because they look like secrets. */
  readonly withheld?: readonly string[] | undefined;
  /** Ids of processes that could not be ended, for example because they run as another user. */
  readonly surviving?: readonly number[] | undefined;
}

/** Runs the commands of the agent. */
export interface CommandRunner {
  /** The shell for commands, named in the tool's description: `bash`, `sh`, `powershell`, `cmd`. */
  readonly shellName: string;
  /**
   * Runs one command in its own process group, without input. Never rejects: errors are in the outcome. `onOutput` gets
   * decoded text as it arrives. Aborting `signal` ends the whole group: TERM, and KILL after 2 s.
   */
  run(
    request: CommandRequest,
    options: { readonly signal: Signal; readonly onOutput: (text: string) => void },
  ): Promise<CommandOutcome>;
}

export interface BackgroundCommand {
  /** `output:…`, the name of its output in `CommandOutputs`. */
  readonly id: string;
  readonly command: string;
  /** Absolute path. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** The last line that it printed, shortened; empty if there is none. */
  readonly lastLine: string;
}

/** A command can end, or fail to start, before `start` returns. */
export type BackgroundStart =
  | { readonly kind: 'running'; readonly id: string; readonly output: string }
  | { readonly kind: 'ended'; readonly outcome: CommandOutcome }
  | { readonly kind: 'refused'; readonly reason: string };

/** Commands that keep running after the call that started them, at most until this process ends. */
export interface BackgroundCommands {
  /**
   * Resolves with the first output, or after a short time without output. Aborting `signal` before that ends the
   * command.
   */
  start(
    request: Omit<CommandRequest, 'timeoutMs' | 'inTerminal'>,
    options: { readonly signal: Signal },
  ): Promise<BackgroundStart>;
  /** The running commands, oldest first. */
  list(): readonly BackgroundCommand[];
  /** Ends a command and everything it started. False: no command has this id. */
  stop(id: string): Promise<boolean>;
  /** Calls the listener when a command starts, ends or prints, at most every half second. */
  onChange(listener: () => void): Disposable;
}

/** Outputs of commands, by paths `output:…`. Read like files. Old ones are deleted. */
export type CommandOutputs = Pick<FileSystem, 'stat' | 'readSlice' | 'openText'>;

export interface CommandConfinement {
  /** Why commands cannot be confined on this machine, and what to do about it; for people. `undefined`: they can. */
  findProblem(): Promise<string | undefined>;
  /** Why a command cannot start in the sandbox now; for people. Tries everything but the command. Absent: no sandbox. */
  findSandboxProblem?(confinement: Confinement, cwd: string): Promise<string | undefined>;
}

/** A search for text in files. */
export interface TextQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** Absolute path of the folder or file to search. */
  readonly path: string;
  /** Glob on the path relative to `path`, such as `**\/*.ts`. */
  readonly include?: string | undefined;
  /** Decides which files are searched, by the `/`-separated path relative to `path`. Not called for `path` itself. */
  readonly isWanted?: ((relativePath: string) => boolean) | undefined;
  readonly maxMatches: number;
}

/** A line that matches. */
export interface TextMatch {
  /** Absolute path. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The text of the line, shortened. */
  readonly text: string;
}

/** The matches of a search. */
export interface TextSearchOutcome {
  readonly matches: readonly TextMatch[];
  /** There were more than `maxMatches`. */
  readonly isCut: boolean;
  /** How many files were searched, if there were too many to search all. */
  readonly filesSearched?: number | undefined;
}

/** Searches files for text. */
export interface TextSearch {
  /** Obeys ignore files and skips binary files. Rejects for an invalid pattern, with a message for the model. */
  search(query: TextQuery, options: { readonly signal: Signal }): Promise<TextSearchOutcome>;
}

/** A message of a language server or a linter about a line of a file. */
export interface Problem {
  /** 1-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The program that reports it: `ts`, `eslint`. */
  readonly source?: string | undefined;
}

/** Follows the problems of one file while it changes. */
export interface ProblemWatch {
  /** The problems before the change; `undefined` if the file was not checked yet. */
  readonly before: readonly Problem[] | undefined;
  /**
   * The problems after the change. Waits for reports, and only shortly: later ones are in `Diagnostics.known`. Waits longer
   * where other changes came shortly before and some problem `isNews`: it may be about the state between them. Never rejects.
   */
  after(options: {
    readonly signal: Signal;
    readonly isNews: (problems: readonly Problem[]) => boolean;
  }): Promise<readonly Problem[]>;
  dispose(): void;
}

/** The problems that an editor knows, by absolute path. A missing file has no problems. */
export interface Diagnostics {
  /** Has a file checked if it was not checked yet, and waits as `ProblemWatch.after` does. Never rejects. */
  read(path: string, options: { readonly signal: Signal }): Promise<readonly Problem[]>;
  /** Does what `watch` would wait for. Never rejects. */
  load(path: string, options: { readonly signal: Signal }): Promise<void>;
  /**
   * To be called before a change. Has the file checked if it was not checked yet, unless nothing is known to check such
   * files. The caller disposes the result. Never rejects.
   */
  watch(path: string, options: { readonly signal: Signal }): Promise<ProblemWatch>;
  /** The problems that are known at this moment, of all files. A file that was checked and has none is there too. */
  known(): ReadonlyMap<string, readonly Problem[]>;
  /**
   * Waits until files that were edited have been reported about since, or for a limited time. Absent: nothing is to be waited
   * for. Never rejects.
   */
  readonly settle?: ((paths: readonly string[], options: { readonly signal: Signal }) => Promise<void>) | undefined;
  /**
   * Waits while `hasNews` about `known` and it may be about the state between two changes, or for a limited time. Absent:
   * everything known is about the newest state. Never rejects.
   */
  readonly untilSure?: ((hasNews: () => boolean, options: { readonly signal: Signal }) => Promise<void>) | undefined;
}

/** One folder of the workspace. */
export interface Root {
  readonly name: string;
  /** Absolute path as the person opened it. For a virtual folder see `virtualPathOf`. */
  readonly path: string;
}

/** Plans a batch of edits, as `applyEdits` does. Never rejects. */
export type PlanEdits = (text: string, edits: readonly TextEdit[]) => Promise<EditResult>;

/** The skills in the user's own folder. The model reads them as `skill:NAME`. */
export interface OwnSkills {
  readonly has: (name: string) => Promise<boolean>;
  /** `undefined`: there is none of this name. */
  readonly read: (name: string) => Promise<string | undefined>;
}

/** All ports of the workspace tools. */
export interface WorkspacePorts {
  readonly fileSystem: FileSystem;
  /** Absent: as the JSON that `fileSystem` reads and writes. */
  readonly notebooks?: NotebookFiles | undefined;
  /** Absent: in the calling thread. */
  readonly planEdits?: PlanEdits | undefined;
  readonly commandRunner: CommandRunner;
  readonly textSearch: TextSearch;
  /** Absent: no background commands. */
  readonly backgroundCommands?: BackgroundCommands | undefined;
  /** Absent: the middle of a long output is lost. */
  readonly commandOutputs?: CommandOutputs | undefined;
  /** Absent: none. */
  readonly ownSkills?: OwnSkills | undefined;
  /** Absent: commands cannot be confined. */
  readonly confinement?: CommandConfinement | undefined;
  /** Absent without an editor. */
  readonly diagnostics?: Diagnostics | undefined;
  /** Absent without an editor. */
  readonly codeNavigation?: CodeNavigation | undefined;
}
