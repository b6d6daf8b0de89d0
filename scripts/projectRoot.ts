import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of this repository. Searched upwards from the running file, so it is correct for a script,
 * for a test and for a test suite bundled into `.vscode-test`.
 */
export const projectRoot: string = findProjectRoot(__dirname);

function findProjectRoot(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package-lock.json')) && existsSync(path.join(folder, 'package.json')))
      return folder;
    if (folder === path.dirname(folder)) throw new Error(`No folder of the project was found above ${start}.`);
  }
}
