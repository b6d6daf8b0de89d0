import * as vscode from 'vscode';

/** The part of the API of VS Code's Git extension (version 1) that is used here. Source: its `git.d.ts`. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD?: { readonly name?: string | undefined } | undefined;
    readonly mergeChanges?: readonly GitChange[];
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Absent in older versions, where untracked files are among the working tree's changes. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  readonly diffIndexWithHEAD: (path: string) => Promise<string>;
  readonly diffWithHEAD: (path: string) => Promise<string>;
  /** What the second has changed since both were the same: `git diff first...second`. With a path: the diff. */
  readonly diffBetween: {
    (first: string, second: string): Promise<readonly GitChange[]>;
    (first: string, second: string, path: string): Promise<string>;
  };
  readonly getBranches: (query: { readonly remote: boolean }) => Promise<readonly { readonly name?: string }[]>;
  readonly getCommit: (revision: string) => Promise<GitCommit>;
  readonly log: (options: { readonly maxEntries: number }) => Promise<readonly GitCommit[]>;
}

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri?: vscode.Uri | undefined;
  readonly renameUri?: vscode.Uri | undefined;
  readonly status: number;
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
}

interface GitExtension {
  readonly enabled: boolean;
  readonly getAPI: (version: 1) => GitApi;
}

/** `Status.UNTRACKED` of the Git extension: a file that git does not know. */
export const UNTRACKED = 7;

/** The open repositories if the Git extension runs already; `undefined`: it does not, or the workspace is not trusted. */
export function openRepositories(): readonly GitRepository[] | undefined {
  if (!vscode.workspace.isTrusted) return undefined;
  const git = vscode.extensions.getExtension<GitExtension>('vscode.git');
  return git?.isActive && git.exports.enabled ? git.exports.getAPI(1).repositories : undefined;
}

/** The open repositories. Throws an `Error` for people where the Git extension is off, or the workspace is not trusted. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  // Git obeys files of a repository. Its extension is off there today, but our promise must not rest on that.
  if (!vscode.workspace.isTrusted) throw new Error(vscode.l10n.t('Changes are read in trusted workspaces only.'));
  const git = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const exports = await git?.activate();
  if (!exports?.enabled)
    throw new Error(vscode.l10n.t("VS Code's Git extension is off. Switch on the setting git.enabled."));
  return exports.getAPI(1).repositories;
}
