import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder } from './temporaryFolder';

/** A temporary folder that is a git repository with one commit of all its files, on the branch `main`. */
export interface GitFolder {
  readonly path: string;
  /** Runs git in the folder, as Ann. Returns what it prints. */
  readonly git: (...args: readonly string[]) => string;
  /** Writes a file, which is not committed. */
  readonly put: (file: string, text: string) => void;
  readonly dispose: () => Promise<void>;
}

export async function createGitFolder(files: Readonly<Record<string, string>>, message: string): Promise<GitFolder> {
  const folder = await createTemporaryFolder(files);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '-f', '.');
  git('commit', '-q', '-m', message);
  return {
    path: folder.path,
    git,
    put: (file, text) => writeFileSync(path.join(folder.path, file), text),
    dispose: () => folder.dispose(),
  };
}
