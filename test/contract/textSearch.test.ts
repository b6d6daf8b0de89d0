import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { findRipgrep } from '../../src/host/ports/ripgrep/findRipgrep';
import { createRipgrepTextSearch } from '../../src/host/ports/ripgrep/ripgrepTextSearch';
import { createNodeTextSearch } from '../../src/workspace/node/search/nodeTextSearch';
import { describeTextSearchContract } from './textSearchContract';

describeTextSearchContract('The text search on Node', () => createNodeTextSearch());

// Before the VS Code server is installed there is no ripgrep here; inside VS Code the host suite always runs this.
const ripgrepPath = installedRipgrep();
if (ripgrepPath !== undefined) {
  describeTextSearchContract('The text search with ripgrep', () =>
    createRipgrepTextSearch({ ripgrepPath, fallback: createNodeTextSearch() }),
  );
}

function installedRipgrep(): string | undefined {
  const installs = path.join(projectRoot, '.vscode-test');
  if (!existsSync(installs)) return undefined;
  return readdirSync(installs)
    .filter((name) => name.startsWith('vscode-server-'))
    .map((name) => path.join(installs, name, 'node_modules', 'code-server', 'lib', 'vscode'))
    .map((appRoot) => findRipgrep(appRoot, process))
    .find((found) => found !== undefined);
}
