import * as vscode from 'vscode';

/** The part of the API of VS Code's Git extension (version 1) that is used here. Source: its `git.d.ts`. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Absent in older versions, where untracked files are among the working tree's changes. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  readonly diffIndexWithHEAD: (path: string) => Promise<string>;
  readonly diffWithHEAD: (path: string) => Promise<string>;
  readonly log: (options: { readonly maxEntries: number }) => Promise<readonly { readonly message: string }[]>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
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

/** The open repositories. Throws an `Error` for people where the Git extension is off. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  const git = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const exports = await git?.activate();
  if (!exports?.enabled) throw new Error("VS Code's Git extension is off. Switch on the setting git.enabled.");
  return exports.getAPI(1).repositories;
}
