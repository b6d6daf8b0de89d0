import type { MatchKind } from './edits/matchEdit';
import type { Confinement } from './ports';

/** What the tools prepare and a person approves. Plain data: what is approved is byte for byte what executes. */

/** A path that `guardPath` has checked. */
export interface GuardedPath {
  /** Absolute path, below a workspace folder as the person opened it; outside of every folder, the real path. */
  readonly path: string;
  /** With all links resolved, of the target or, when it does not exist, of its nearest existing ancestor plus the rest. */
  readonly realPath: string;
  /**
   * Relative to its root, `/`-separated, with the root's name first when there are several roots; outside, the whole real
   * path. For people and models.
   */
  readonly displayPath: string;
  /**
   * The real path relative to the folder it lies in, `/`-separated, `''` for the folder itself. `null`: it lies outside
   * of every folder, so that whoever lets it be used has to ask first.
   */
  readonly pathInRoot: string | null;
  readonly exists: boolean;
}

/** What the guard says of a path. The error is written for the model. */
export type Guarded =
  { readonly ok: true; readonly path: GuardedPath } | { readonly ok: false; readonly error: string };

/**
 * Nothing a person needs to be asked about: reading a file, a folder listing, a search below a folder; ending a
 * background command of the agent's own.
 */
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
  /** It goes on after the call, without a time limit. */
  readonly isBackground?: boolean | undefined;
  /** In a terminal, whose shell has what the person put into it: nothing may be allowed automatically there. */
  readonly inTerminal?: boolean | undefined;
  readonly confinement?: Confinement | undefined;
}

export type WorkspacePlan = ReadPlan | EditPlan | CommandPlan;
