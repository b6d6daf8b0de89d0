import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { findRipgrepOfVscode } from '../../../src/workspace/node/search/ripgrep/findRipgrep';

/** The ripgrep of the installed VS Code server; `undefined` before that is installed. */
export function installedRipgrep(): string | undefined {
  const installs = path.join(projectRoot, '.vscode-test');
  if (!existsSync(installs)) return undefined;
  return readdirSync(installs)
    .filter((name) => name.startsWith('vscode-server-'))
    .map((name) => path.join(installs, name, 'node_modules', 'code-server', 'lib', 'vscode'))
    .map((appRoot) => findRipgrepOfVscode(appRoot, process))
    .find((found) => found !== undefined);
}
