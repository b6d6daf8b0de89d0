import { createRipgrepTextSearch } from '../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { createNodeTextSearch } from '../../src/workspace/node/search/nodeTextSearch';
import { installedRipgrep } from '../support/leaks/installedRipgrep';
import { describeTextSearchContract } from './textSearchContract';

describeTextSearchContract('The text search on Node', () => createNodeTextSearch());

// Before the VS Code server is installed there is no ripgrep here; inside VS Code the host suite always runs this.
const ripgrepPath = installedRipgrep();
if (ripgrepPath !== undefined) {
  describeTextSearchContract('The text search with ripgrep', () =>
    createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepPath), fallback: createNodeTextSearch() }),
  );
}
