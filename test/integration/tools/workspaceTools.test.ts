import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../../scripts/projectRoot';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createTools } from '../../../src/workspace/tools/createTools';
import type { JsonObject } from '../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../support/callTool';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('the workspace tools on real files and processes', () => {
  let outer: TemporaryFolder;
  let root: string;

  beforeEach(async () => {
    outer = await createTemporaryFolder({
      'work/src/a.ts': 'export const a = 1;\n',
      'work/crlf.txt': '\uFEFFone\r\ntwo\r\nthree',
      'work-2/secret.txt': 'secret\n',
    });
    root = path.join(outer.path, 'work');
  });
  afterEach(() => outer.dispose());

  const call = (name: string, input: JsonObject, options?: CallOptions): Promise<CallResult> =>
    callTool(
      createTools({ ports: createNodePorts(), roots: () => [{ name: 'work', path: root }] }),
      name,
      input,
      options,
    );

  it('edit a file byte for byte', async () => {
    assert.deepEqual(await call('apply_edit', { path: 'crlf.txt', old_text: 'two\n', new_text: '2\n2b\n' }), {
      content: 'Edited crlf.txt (+2 -1 lines).',
      isError: false,
      display: { applied: true, addedLines: 2, removedLines: 1, line: 2 },
    });
    assert.equal(await readFile(path.join(root, 'crlf.txt'), 'utf8'), '\uFEFFone\r\n2\r\n2b\r\nthree');
  });

  it('search only the workspace', async () => {
    await symlink(path.join(outer.path, 'work-2'), path.join(root, 'link'));
    assert.deepEqual(await call('search_text', { pattern: 'secret' }), {
      content:
        'No match for "secret" in the workspace. Ignored, binary, very big and protected files (such as .env) were not searched.',
      isError: false,
    });
  });

  it('read a range of a file of 50 MB without loading it', async () => {
    const handle = await open(path.join(root, 'huge.log'), 'w');
    const piece = 'line of forty characters in a huge file\n'.repeat(25_000);
    for (let index = 0; index < 50; index++) await handle.write(piece);
    await handle.close();
    assert.equal((await stat(path.join(root, 'huge.log'))).size, 50_000_000);
    const before = process.memoryUsage.rss();
    assert.deepEqual(await call('read_file', { path: 'huge.log', start_line: 1_250_000 }), {
      content: 'huge.log (lines 1250000-1250000 of 1250000):\nline of forty characters in a huge file',
      isError: false,
    });
    assert.ok(process.memoryUsage.rss() - before < 150_000_000);
    const edit = await call('apply_edit', { path: 'huge.log', old_text: 'a', new_text: 'b' });
    assert.ok('refused' in edit && edit.refused.includes('too big to edit'));
  });

  it('run a command on a file they wrote', async () => {
    await call('write_file', { path: 'test/check.sh', content: 'echo checking\nexit 4\n' });
    const shown: string[] = [];
    const result = await call(
      'bash',
      { command: 'sh check.sh', cwd: 'test' },
      { onProgress: (text) => shown.push(text) },
    );
    assert.deepEqual(result, {
      content: 'Exit code 4.\nchecking',
      isError: true,
      display: { ended: 'exited', exitCode: 4 },
    });
    assert.equal(shown.join(''), 'checking\n');
  });

  it('stop a running command', async () => {
    const controller = new AbortController();
    const result = await call(
      'run_terminal_command',
      { command: 'echo started; sleep 1000' },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    assert.deepEqual(result, {
      content: 'started',
      isError: true,
      display: { ended: 'stopped', exitCode: null },
    });
  });

  it('do not overwrite a file that someone else changed after the approval', async () => {
    const file = path.join(root, 'src/a.ts');
    const result = await call(
      'apply_edit',
      { path: 'src/a.ts', old_text: '1', new_text: '2' },
      {
        approve: async (plan) => {
          await writeFile(file, 'export const a = 3;\n');
          return plan;
        },
      },
    );
    assert.ok('content' in result && result.isError);
    assert.equal(await readFile(file, 'utf8'), 'export const a = 3;\n');
  });

  it('search with regular expressions in a bundle too', async () => {
    const bundle = path.join(outer.path, 'search.cjs');
    await build({
      stdin: {
        contents: `
          import { createNodeTextSearch } from './src/workspace/node/search/nodeTextSearch';
          const query = { pattern: 'const \\\\w = \\\\d', isRegex: true, isCaseSensitive: true, path: process.argv[2], maxMatches: 9 };
          createNodeTextSearch().search(query, { signal: new AbortController().signal })
            .then(({ matches }) => process.stdout.write(matches.map(({ line, text }) => line + ':' + text).join()));
        `,
        resolveDir: projectRoot,
      },
      bundle: true,
      platform: 'node',
      minify: true,
      target: 'node20',
      outfile: bundle,
      logLevel: 'silent',
    });
    assert.equal(execFileSync(process.execPath, [bundle, root], { encoding: 'utf8' }), '1:export const a = 1;');
  });
});
