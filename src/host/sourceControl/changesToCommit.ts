import path from 'node:path';
import * as vscode from 'vscode';
import type { FileToCommit } from '../../agent/prompts/commitMessage';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { UNTRACKED, type GitChange, type GitRepository } from './gitExtension';

/** Each costs a run of git. The names of more are still told. */
const MAX_DIFFS = 60;
/** Of a new file. */
const MAX_BYTES = 40_000;

/** What the next commit contains: what is staged, or all changes where nothing is. Contents of secret files are left out. */
export async function changesToCommit(repository: GitRepository): Promise<readonly FileToCommit[]> {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const isStaged = indexChanges.length > 0;
  const changes = isStaged ? indexChanges : [...workingTreeChanges, ...untrackedChanges];
  return Promise.all(
    changes.map(async (change, index): Promise<FileToCommit> => {
      const name = path.relative(repository.rootUri.fsPath, change.uri.fsPath).replaceAll(path.sep, '/');
      if (index >= MAX_DIFFS || isReadingProtected({ displayPath: name, pathInRoot: name })) return { path: name };
      return { path: name, change: await textOf(repository, change, isStaged) };
    }),
  );
}

async function textOf(
  repository: GitRepository,
  { uri, status }: GitChange,
  isStaged: boolean,
): Promise<string | undefined> {
  if (isStaged) return withoutHead(await repository.diffIndexWithHEAD(uri.fsPath));
  if (status !== UNTRACKED) return withoutHead(await repository.diffWithHEAD(uri.fsPath));
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if (type !== vscode.FileType.File || size > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return text.includes('\0') ? undefined : `New file:\n${text}`;
}

/** Lines such as `index 83db48f..bf2a1c9` tell a model nothing. */
function withoutHead(diff: string): string | undefined {
  const kept = diff.replaceAll(/^(?:diff --git|index|---|\+\+\+) .*\n/gm, '');
  return kept.trim() === '' ? undefined : kept;
}
