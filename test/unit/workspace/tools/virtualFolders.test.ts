import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/util/json';
import { createVirtualTextSearch } from '../../../../src/workspace/node/search/virtualTextSearch';
import type { CommandRequest, CommandRunner, Root, TextSearch } from '../../../../src/workspace/ports';
import { createTools } from '../../../../src/workspace/tools/createTools';
import { withVirtualSearch } from '../../../../src/workspace/withVirtualFiles';
import { callTool, type CallResult } from '../../../support/callTool';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

const lib: Root = { name: 'lib', path: '/virtual:/memfs+/lib' };
const app: Root = { name: 'app', path: '/w/app' };

describe('the tools in a virtual folder', () => {
  let fileSystem: MemoryFileSystem;
  let ran: CommandRequest[];

  beforeEach(() => {
    ran = [];
    fileSystem = new MemoryFileSystem({
      '/virtual:/memfs+/lib/src/a.ts': 'const needle = 1;\n',
      '/virtual:/memfs+/lib/src/dist/out.ts': 'needle built\n',
      '/virtual:/memfs+/lib/.gitignore': 'dist/\n',
      '/virtual:/memfs+/lib/.env': 'needle=secret\n',
      '/virtual:/memfs+/lib/node_modules/x/i.ts': 'needle installed\n',
      '/virtual:/memfs+/lib/logo.png': new Uint8Array([137, 80, 78, 71, 0]),
      '/w/app/b.ts': 'needle on disk\n',
    });
    fileSystem.makeLink('/virtual:/memfs+/lib/src/link.ts', '/w/app/b.ts');
  });

  function call(name: string, input: JsonObject, roots: readonly Root[] = [lib]): Promise<CallResult> {
    const commandRunner: CommandRunner = {
      shellName: 'bash',
      run: (request) => {
        ran.push(request);
        return Promise.resolve({ exitCode: 0, signalName: null, ended: 'exited', output: '', omittedBytes: 0 });
      },
    };
    const onDisk: TextSearch = {
      search: () =>
        Promise.resolve({ matches: [{ path: '/w/app/b.ts', line: 1, text: 'needle on disk' }], isCut: false }),
    };
    const textSearch = withVirtualSearch(onDisk, createVirtualTextSearch({ fileSystem, roots: () => roots }));
    return callTool(createTools({ ports: { fileSystem, commandRunner, textSearch }, roots: () => roots }), name, input);
  }

  it('read and list', async () => {
    assert.deepEqual(await call('read_file', { path: 'src/a.ts' }), {
      content: 'src/a.ts (1 line):\nconst needle = 1;',
      isError: false,
    });
    assert.deepEqual(await call('list_directory', { path: 'src' }), {
      content: 'src:\ndist/ (ignored by git)\na.ts\nlink.ts (link)',
      isError: false,
    });
  });

  it('edit and create, and nothing outside', async () => {
    assert.deepEqual(await call('apply_edit', { path: 'src/a.ts', old_text: '1', new_text: '2' }), {
      content: 'Edited src/a.ts (+1 -1 lines).',
      isError: false,
      display: { applied: true, addedLines: 1, removedLines: 1, line: 1 },
    });
    assert.equal(fileSystem.textOf('/virtual:/memfs+/lib/src/a.ts'), 'const needle = 2;\n');
    await call('write_file', { path: 'new/c.ts', content: 'c\n' });
    assert.equal(fileSystem.textOf('/virtual:/memfs+/lib/new/c.ts'), 'c\n');
    for (const path of ['../x.ts', '/virtual:/memfs+/x.ts', '/virtual:/file+/tmp/x.ts', 'src/link.ts', '%2e%2e/x.ts']) {
      assert.ok('refused' in (await call('write_file', { path, content: 'x' })), path);
    }
    assert.equal(fileSystem.textOf('/w/app/b.ts'), 'needle on disk\n');
  });

  it('search files that git does not ignore, without links and protected files', async () => {
    assert.deepEqual(await call('search_text', { pattern: 'needle' }), {
      content: 'src/a.ts\n1: const needle = 1;',
      isError: false,
    });
    assert.deepEqual(await call('search_text', { pattern: 'needle', path: 'src/dist' }), {
      content: 'src/dist/out.ts\n1: needle built',
      isError: false,
    });
    assert.deepEqual(await call('search_text', { pattern: 'n(e+)dle', is_regex: true, path: 'src/a.ts' }), {
      content: 'src/a.ts\n1: const needle = 1;',
      isError: false,
    });
  });

  it('search a folder of each kind', async () => {
    assert.deepEqual(await call('search_text', { pattern: 'needle' }, [app, lib]), {
      content: 'app/b.ts\n1: needle on disk\nlib/src/a.ts\n1: const needle = 1;',
      isError: false,
    });
  });

  it('suggest a path that is similar to the missing one', async () => {
    const result = await call('read_file', { path: 'lib/a.ts' }, [app, lib]);
    assert.deepEqual(result, { refused: '"lib/a.ts" does not exist. Did you mean "lib/src/a.ts"?' });
  });

  it('run no command without a folder on disk', async () => {
    for (const input of [{ command: 'ls' }, { command: 'ls', cwd: 'src' }, { command: 'ls', cwd: '/tmp' }]) {
      assert.deepEqual(await call('run_terminal_command', input), {
        refused:
          "Commands cannot run here: the workspace has no folder on this machine's disk. Use the other tools, or tell the user.",
      });
    }
    assert.deepEqual(ran, []);
  });

  it('run commands in the folders on disk, in any order', async () => {
    for (const roots of [
      [app, lib],
      [lib, app],
    ]) {
      ran = [];
      await call('run_terminal_command', { command: 'ls' }, roots);
      assert.deepEqual(ran, [{ command: 'ls', cwd: '/w/app', timeoutMs: 120_000 }]);
      assert.deepEqual(await call('run_terminal_command', { command: 'ls', cwd: 'lib/src' }, roots), {
        refused: "Commands cannot run in lib/src, which is not on this machine's disk. Folders where they can: app.",
      });
    }
  });
});

describe('the search in virtual folders', () => {
  const file = (index: number): string => `/virtual:/memfs+/lib/f${String(index).padStart(2, '0')}.txt`;
  const fileSystem = new MemoryFileSystem(
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [file(index), `needle ${index}\n`])),
  );
  const limits = { maxFolders: 10, maxFiles: 100, maxFileBytes: 100, maxBytes: 10_000 };
  const query = { pattern: 'needle', isRegex: false, isCaseSensitive: false, path: lib.path, maxMatches: 50 };
  const { signal } = new AbortController();
  const search = (bounds: Partial<typeof limits>) =>
    createVirtualTextSearch({ fileSystem, roots: () => [lib], limits: { ...limits, ...bounds } }).search(query, {
      signal,
    });

  it('searches everything within its limits', async () => {
    const { matches, ...rest } = await search({});
    assert.deepEqual([matches.length, rest], [20, { isCut: false }]);
  });

  it('says how many files it searched if there were too many, or too big ones', async () => {
    assert.equal((await search({ maxFiles: 5 })).filesSearched, 5);
    assert.equal((await search({ maxBytes: 25 })).filesSearched, 2);
    const none = await search({ maxFolders: 0 });
    assert.deepEqual(none, { matches: [], isCut: false, filesSearched: 0 });
  });

  it('skips files that are too big, and folders that cannot be listed', async () => {
    assert.deepEqual(await search({ maxFileBytes: 5 }), { matches: [], isCut: false });
    const offline = new MemoryFileSystem();
    const outcome = await createVirtualTextSearch({ fileSystem: offline, roots: () => [lib] }).search(query, {
      signal,
    });
    assert.deepEqual(outcome, { matches: [], isCut: false });
  });

  it('stops when asked', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    const stop = createVirtualTextSearch({ fileSystem, roots: () => [lib] }).search(query, { signal: stopped });
    await assert.rejects(stop, /stopped/);
  });
});
