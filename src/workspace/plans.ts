import type { MatchKind } from './edits/matchKind';
import type { Confinement } from './ports';

/** Plans that tools prepare and a person approves. Plain data: the approved plan runs byte for byte. */

/** A path that `guardPath` has checked. */
export interface GuardedPath {
  /** Absolute path, below a workspace folder as the person opened it. Outside the workspace: the real path. */
  readonly path: string;
  /** With all links resolved. If the target does not exist: the real path of its nearest existing folder, plus the rest. */
  readonly realPath: string;
  /**
   * For people and models: `/`-separated, relative to its root, after the root's name if there are several roots.
   * Outside the workspace: the real path.
   */
  readonly displayPath: string;
  /**
   * The real path relative to its workspace folder, `/`-separated, `''` for the folder itself. `null`: it is outside the
   * workspace, so a person must be asked before it is used.
   */
  readonly pathInRoot: string | null;
  readonly exists: boolean;
  /**
   * Protected names of the same file in the workspace (hard links), relative to their folders. `unknown`: there are too
   * many files to find them. Absent: there are none.
   */
  readonly alsoNamed?: readonly string[] | 'unknown' | undefined;
  /** `path` without links below its workspace folder. Absent: there are none, or it is outside. */
  readonly unlinkedPath?: string | undefined;
}

/** The decision about a path. The error is for the model. */
export type Guarded =
  { readonly ok: true; readonly path: GuardedPath } | { readonly ok: false; readonly error: string };

/** Reads a file, lists a folder or searches below one, or ends one of the agent's background commands. */
export interface ReadPlan {
  readonly kind: 'read';
  readonly target: GuardedPath;
  /** Only to plan an edit, which is a plan of its own. */
  readonly isFor?: 'edit' | undefined;
  /** The tool's own arguments, validated. */
  readonly query: unknown;
}

/** The text of one file before and after. */
export interface EditPlan {
  readonly kind: 'edit';
  readonly operation: 'edit' | 'create' | 'overwrite';
  readonly target: GuardedPath;
  /** `null` if the file does not exist. With the unsaved changes of an open buffer. */
  readonly before: string | null;
  readonly after: string;
  /** What the tool proposed. `after` differs from it if a person changed the proposal. */
  readonly proposed: string;
  /** `edit` only: the most tolerant way in which a quote was found. `near` is a guess, so a person must approve it. */
  readonly match?: MatchKind | undefined;
  /** The texts are the cells of a notebook (`NotebookFiles`). */
  readonly isNotebook?: true | undefined;
  /** `overwrite` only: how many lines the file loses, if they are a large part of it. */
  readonly lostLines?: number | undefined;
}

/** One edit of several files, such as a rename. All of its files are written, or none. */
export interface EditsPlan {
  readonly kind: 'edits';
  /** In words: `Rename total to sum`. */
  readonly title: string;
  /** At least one. Each of another file that exists. */
  readonly edits: readonly EditPlan[];
  /** For the model, after the result. */
  readonly note?: string | undefined;
}

/** Runs one command line unchanged, or in other words if it only reads. */
export interface CommandPlan {
  readonly kind: 'command';
  /** As the model wrote it. */
  readonly command: string;
  /**
   * Runs instead of `command`: the same with what its patterns, loops, `xargs` and `$(…)` stood for when it was judged.
   */
  readonly expanded?: string | undefined;
  readonly cwd: GuardedPath;
  readonly timeoutMs: number;
  /** Variables to add to the command's environment. They keep a command that runs unasked harmless. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Our own analysis says that it changes nothing. Only set by the approval. */
  readonly isReadOnly?: true | undefined;
  /** It keeps running after the call, without a time limit. */
  readonly isBackground?: boolean | undefined;
  /** In a terminal, whose shell may have aliases of the person. So it never runs unasked. */
  readonly inTerminal?: boolean | undefined;
  readonly confinement?: Confinement | undefined;
}

/** A plan of one of the coding tools. */
export type WorkspacePlan = ReadPlan | EditPlan | CommandPlan;
