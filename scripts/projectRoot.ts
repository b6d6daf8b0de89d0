import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of this repository. Found from the file that runs, upwards, so that it is right for a script,
 * for a test and for a test suite that was bundled into `.vscode-test`.
 */
export const projectRoot: string = findProjectRoot(__dirname);

function findProjectRoot(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package-lock.json')) && existsSync(path.join(folder, 'package.json')))
      return folder;
    if (folder === path.dirname(folder)) throw new Error(`No folder of the project was found above ${start}.`);
  }
}
