import { execFileSync } from 'node:child_process';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'v1.0\n',
  'src/app.py': 'def main():\n    return 1\n',
  'src/parser.py': 'class Parser:\n    pass\n',
  'tests/test_app.py': 'x\n',
  'data/table.csv': 'a,1\nb,2\n',
  'data/config.json': '{"name":"a","items":[]}\n',
  'docs/my notes.md': 'x\n',
  'docs/café.md': 'x\n',
  'src/app.ts': 'export const a = 1;\n',
  'src/util.ts': 'export const b = 2;\n',
  'test/app.ts': 'x\n',
  'package.json': '{}\n',
  'a.txt': 'a\n',
  'b.txt': 'b\n',
};

/** A repository with one commit and the files that the listed commands of coding agents name. `more`: further files. */
export async function createAgentFolder(more: Readonly<Record<string, string>> = {}): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder({ ...FILES, ...more });
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder.path, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  return folder;
}
