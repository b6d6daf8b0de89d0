import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { createVscodePorts } from '../../src/host/ports/createVscodePorts';
import { findRipgrepOfVscode } from '../../src/workspace/node/search/ripgrep/findRipgrep';
import { createRipgrepTextSearch } from '../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import { createNodeTextSearch } from '../../src/workspace/node/search/nodeTextSearch';
import type { TextSearch } from '../../src/workspace/ports';
import { describeTextSearchContract } from '../contract/textSearchContract';
import { createTemporaryFolder } from '../support/files/temporaryFolder';

function ripgrepOfVscode(): string {
  const found = findRipgrepOfVscode(vscode.env.appRoot, process);
  assert.ok(found !== undefined, `no ripgrep below ${vscode.env.appRoot}`);
  return found;
}

describeTextSearchContract("The text search with VS Code's ripgrep", () =>
  createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepOfVscode()), fallback: createNodeTextSearch() }),
);
describeTextSearchContract('The text search inside VS Code', () => createVscodePorts().textSearch);

describe("VS Code's ripgrep", () => {
  const noFallback: TextSearch = { search: () => Promise.reject(new Error('ripgrep did not search.')) };
  const { signal } = new AbortController();

  it('runs the search itself', async () => {
    await using folder = await createTemporaryFolder({ 'a.ts': 'one\nneedle\n', 'b.md': 'needle\n' });
    const search = createRipgrepTextSearch({
      findRipgrep: () => Promise.resolve(ripgrepOfVscode()),
      fallback: noFallback,
    });
    const query = { isCaseSensitive: true, path: folder.path, include: '**/*.ts', maxMatches: 5 };
    const expected = { matches: [{ path: path.join(folder.path, 'a.ts'), line: 2, text: 'needle' }], isCut: false };
    assert.deepEqual(await search.search({ ...query, pattern: 'needle', isRegex: false }, { signal }), expected);
    assert.deepEqual(await search.search({ ...query, pattern: '^n\\w+$', isRegex: true }, { signal }), expected);
    // ripgrep has no lookahead: it names the files that may match.
    assert.deepEqual(await search.search({ ...query, pattern: 'n(?=eedle)', isRegex: true }, { signal }), expected);
  });
});
