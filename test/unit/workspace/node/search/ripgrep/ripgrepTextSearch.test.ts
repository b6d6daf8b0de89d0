import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { createRipgrepTextSearch } from '../../../../../../src/workspace/node/search/ripgrep/ripgrepTextSearch';
import type { TextQuery, TextSearch, TextSearchOutcome } from '../../../../../../src/workspace/ports';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../../support/files/temporaryFolder';

describe('the text search with ripgrep', () => {
  const fromFallback: TextSearchOutcome = { matches: [{ path: '/fallback', line: 1, text: 'found' }], isCut: false };
  const fallback: TextSearch = { search: () => Promise.resolve(fromFallback) };
  let folder: TemporaryFolder;
  before(async () => {
    folder = await createTemporaryFolder({ 'a.txt': 'text\n' });
  });
  after(() => folder.dispose());

  const query = (): TextQuery => ({
    pattern: 'text',
    isRegex: false,
    isCaseSensitive: false,
    path: folder.path,
    maxMatches: 10,
  });
  const searchWith = (ripgrepPath: string): Promise<TextSearchOutcome> =>
    createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepPath), fallback }).search(query(), {
      signal: new AbortController().signal,
    });

  it('uses the fallback when ripgrep cannot be started', async () => {
    assert.deepEqual(await searchWith(path.join(folder.path, 'missing')), fromFallback);
    assert.deepEqual(await searchWith(path.join(folder.path, 'a.txt')), fromFallback);
  });

  it('uses the fallback when ripgrep ends without searching', async function () {
    // Windows cannot run a script as a program.
    const scripts = process.platform === 'win32' ? [] : ['exit 2', `echo '{"type":"begin","data":{}}'; kill -9 $$`];
    for (const [index, script] of scripts.entries()) {
      await using programs = await createTemporaryFolder({ [`rg${index}`]: `#!/bin/sh\n${script}\n` });
      const program = path.join(programs.path, `rg${index}`);
      await chmod(program, 0o755);
      assert.deepEqual(await searchWith(program), fromFallback);
    }
  });

  it('uses the fallback when ripgrep hangs', async function () {
    if (process.platform === 'win32') this.skip();
    await using programs = await createTemporaryFolder({ rg: '#!/bin/sh\nexec sleep 1000\n' });
    const ripgrepPath = path.join(programs.path, 'rg');
    await chmod(ripgrepPath, 0o755);
    const search = createRipgrepTextSearch({ findRipgrep: () => Promise.resolve(ripgrepPath), fallback, stallMs: 1 });
    assert.deepEqual(await search.search(query(), { signal: new AbortController().signal }), fromFallback);
  });
});
