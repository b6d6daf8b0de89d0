import path from 'node:path';
import * as vscode from 'vscode';
import type { ChangedFile } from '../../agent/prompts/changedFiles';
import type { MayHoldSecrets } from '../workspace/secretFiles';
import { diffOfFile } from './diffOfFile';
import { UNTRACKED, type GitChange, type GitRepository } from './gitExtension';

/** Each costs a run of git. The names of more are still told. */
const MAX_DIFFS = 60;
/** Of a new file. */
const MAX_BYTES = 40_000;

/**
 * What the next commit contains: what is staged, or all changes where nothing is. Contents of secret files, and of files
 * outside the workspace's folders, are left out.
 * `nameOf`: by default the path in the repository.
 */
export async function changesToCommit(
  repository: GitRepository,
  mayHoldSecrets: MayHoldSecrets,
  nameOf: (uri: vscode.Uri) => string = (uri) => nameIn(repository, uri),
): Promise<readonly ChangedFile[]> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const isStaged = indexChanges.length > 0;
  const changes = isStaged ? indexChanges : [...workingTreeChanges, ...untrackedChanges];
  return Promise.all(
    changes.map(async (change, index): Promise<ChangedFile> => {
      const name = nameOf(change.uri);
      const isLeftOut = index >= MAX_DIFFS || isOutside(change) || (await hasSecretName(change, mayHoldSecrets));
      if (isLeftOut) return { path: name };
      return { path: name, change: await textOfChange(repository, change, isStaged) };
    }),
  );
}

/** A repository may begin above the folder that is open. Git follows no links, so the name decides. */
function isOutside({ uri, originalUri, renameUri }: GitChange): boolean {
  return [uri, originalUri, renameUri].some((name) => name && vscode.workspace.getWorkspaceFolder(name) === undefined);
}

/** By all names of the file: the old name of a renamed one counts too. */
async function hasSecretName(
  { uri, originalUri, renameUri }: GitChange,
  mayHoldSecrets: MayHoldSecrets,
): Promise<boolean> {
  for (const name of [uri, originalUri, renameUri]) {
    if (name && (await mayHoldSecrets(name))) return true;
  }
  return false;
}

/** What a change that is not committed consists of; `undefined`: no text. */
export async function textOfChange(
  repository: GitRepository,
  { uri, status }: GitChange,
  isStaged: boolean,
): Promise<string | undefined> {
  if (isStaged) return diffText(await repository.diffIndexWithHEAD(uri.fsPath), nameIn(repository, uri));
  if (status !== UNTRACKED) return diffText(await repository.diffWithHEAD(uri.fsPath), nameIn(repository, uri));
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (type !== vscode.FileType.File || size > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return text.includes('\0') ? undefined : `New file:\n${text}`;
}

/** The path in the repository, with slashes. */
export function nameIn({ rootUri }: GitRepository, uri: vscode.Uri): string {
  return path.relative(rootUri.fsPath, uri.fsPath).replaceAll(path.sep, '/');
}

/** The diff of a file without lines that tell a model nothing, such as `index 83db48f..bf2a1c9`. */
export function diffText(diff: string, file: string): string | undefined {
  const text = diffOfFile(diff, file);
  if (text === undefined) return undefined;
  // A removed line `-- x` looks like a part of the header.
  const start = text.search(/^@@/m);
  const header = text.slice(0, start < 0 ? undefined : start).replaceAll(/^(?:diff --git|index|---|\+\+\+) .*\n/gm, '');
  const kept = header + (start < 0 ? '' : text.slice(start));
  return kept.trim() === '' ? undefined : kept;
}
