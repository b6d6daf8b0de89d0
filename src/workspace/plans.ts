import type { MatchKind } from './edits/matchEdit';

/** What the tools prepare and a person approves. Plain data: what is approved is byte for byte what executes. */

/** A path after `pathGuard` looked at it. */
export interface GuardedPath {
  /** Absolute path, below a workspace folder as the person opened it. */
  readonly path: string;
  /** With all links resolved, of the target or, when it does not exist, of its nearest existing ancestor plus the rest. */
  readonly realPath: string;
  /** Relative to its root, `/`-separated, with the root's name first when there are several roots. For people and models. */
  readonly displayPath: string;
  readonly exists: boolean;
}

/** Reading only: a file, a folder listing, a search below a folder. */
export interface ReadPlan {
  readonly kind: 'read';
  readonly target: GuardedPath;
  /** The tool's own arguments, already validated. */
  readonly query: unknown;
}

/** One file's text before and after. */
export interface EditPlan {
  readonly kind: 'edit';
  readonly operation: 'edit' | 'create' | 'overwrite';
  readonly target: GuardedPath;
  /** `null` when the file does not exist. With unsaved changes where a buffer is open. */
  readonly before: string | null;
  readonly after: string;
  /** What the tool proposed: equals `after` unless a person changed the proposal. Left as it is by whoever approves. */
  readonly proposed: string;
  /**
   * `edit` only: the most tolerant way in which a quote of the model was found. A `near` one is a guess, if a good one:
   * only a person may let it through.
   */
  readonly match?: MatchKind | undefined;
  /** `overwrite` only: how many lines fewer the file has afterwards, when that is a large part of it. */
  readonly lostLines?: number | undefined;
}

/** One command line, run as it stands. */
export interface CommandPlan {
  readonly kind: 'command';
  readonly command: string;
  readonly cwd: GuardedPath;
  readonly timeoutMs: number;
  /** Variables to add to the command's environment: how a command that nobody was asked about is kept harmless. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export type WorkspacePlan = ReadPlan | EditPlan | CommandPlan;
