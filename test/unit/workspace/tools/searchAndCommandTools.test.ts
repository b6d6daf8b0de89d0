import assert from 'node:assert/strict';
import { createTools } from '../../../../src/workspace/tools/createTools';
import type {
  CommandOutcome,
  CommandRequest,
  Root,
  TextQuery,
  TextSearchOutcome,
} from '../../../../src/workspace/ports';
import type { JsonObject } from '../../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../../support/callTool';
import { MemoryFileSystem } from '../../../support/memoryFileSystem';

const exited: CommandOutcome = { exitCode: 0, signalName: null, ended: 'exited', output: '', omittedBytes: 0 };

describe('the tools that search and run', () => {
  let roots: readonly Root[];
  let queries: TextQuery[];
  let requests: CommandRequest[];
  let found: (query: TextQuery) => TextSearchOutcome;
  let outcome: CommandOutcome;

  beforeEach(() => {
    roots = [{ name: 'w', path: '/w' }];
    queries = [];
    requests = [];
    found = () => ({ matches: [], isCut: false });
    outcome = exited;
  });

  const call = (name: string, input: JsonObject, options?: CallOptions): Promise<CallResult> =>
    callTool(
      createTools({
        ports: {
          fileSystem: new MemoryFileSystem({ '/w/src/a.ts': '', '/lib/b.ts': '' }),
          textSearch: {
            search: async (query) => {
              queries.push(query);
              return found(query);
            },
          },
          commandRunner: {
            shellName: 'bash',
            run: async (request, { onOutput }) => {
              requests.push(request);
              onOutput('\u001b[32mgreen\u001b[0m\n');
              return outcome;
            },
          },
        },
        roots: () => roots,
      }),
      name,
      input,
      options,
    );

  describe('search_text', () => {
    it('groups matches by file', async () => {
      found = () => ({
        matches: [
          { path: '/w/src/a.ts', line: 3, text: 'needle' },
          { path: '/w/src/a.ts', line: 7, text: '  needle()' },
          { path: '/w/b.ts', line: 1, text: 'needle' },
        ],
        isCut: false,
      });
      assert.deepEqual(await call('grep', { query: 'needle', include: '*.ts', regex: true }), {
        content: 'src/a.ts\n3: needle\n7:   needle()\nb.ts\n1: needle',
        isError: false,
      });
      await call('search_text', { regex: 'needle$', path: '.', case_sensitive: 'true' });
      assert.deepEqual(queries, [
        { pattern: 'needle', include: '*.ts', isRegex: true, isCaseSensitive: false, path: '/w', maxMatches: 100 },
        { pattern: 'needle$', include: undefined, isRegex: true, isCaseSensitive: true, path: '/w', maxMatches: 100 },
      ]);
    });

    it('says when there is more', async () => {
      const matches = Array.from({ length: 100 }, (_, index) => ({
        path: '/w/a.ts',
        line: index + 1,
        text: 'x'.repeat(290),
      }));
      found = () => ({ matches, isCut: true });
      const result = await call('search_text', { pattern: 'x' });
      assert.ok('content' in result && typeof result.content === 'string');
      assert.ok(result.content.length < 17_000);
      assert.match(
        result.content,
        /\[5\d of more than 100 matches shown\. Narrow the search with path, include or a longer pattern\.\]$/,
      );
    });

    it('says where it found nothing, and what may help', async () => {
      assert.deepEqual(await call('search_text', { pattern: 'foo.*bar', path: 'src' }), {
        content:
          'No match for "foo.*bar" in src. It was searched for literally; set is_regex for a regular expression.',
        isError: false,
      });
      assert.deepEqual(await call('search_text', { pattern: 'foo', include: '*.py' }), {
        content:
          'No match for "foo" in the workspace in files like *.py. Ignored, binary and very big files were not searched.',
        isError: false,
      });
    });

    it('searches all folders of the workspace, within one limit', async () => {
      roots = [...roots, { name: 'lib', path: '/lib' }];
      found = ({ path }) => ({ matches: [{ path: `${path}/b.ts`, line: 1, text: 'x' }], isCut: false });
      assert.deepEqual(await call('search_text', { pattern: 'x' }), {
        content: 'w/b.ts\n1: x\nlib/b.ts\n1: x',
        isError: false,
      });
      assert.deepEqual(
        queries.map(({ path, maxMatches }) => [path, maxMatches]),
        [
          ['/w', 100],
          ['/lib', 99],
        ],
      );
    });

    it('refuses what cannot be searched', async () => {
      assert.match(
        JSON.stringify(await call('search_text', { pattern: '(', is_regex: 'true' })),
        /Correct the pattern/,
      );
      assert.match(JSON.stringify(await call('search_text', { pattern: 'x', path: '/etc' })), /outside the workspace/);
      found = () => {
        throw new Error('it takes too long');
      };
      assert.deepEqual(await call('search_text', { pattern: 'x' }), {
        content: 'The search failed: it takes too long',
        isError: true,
      });
    });
  });

  describe('run_terminal_command', () => {
    it('plans the command as it stands and reports exit code and output', async () => {
      outcome = { ...exited, output: '\u001b[1mbuilt\u001b[0m\r\n10%\r50%\r100%\n\n' };
      let approved: unknown;
      const progress: string[] = [];
      const result = await call(
        'execute_bash',
        { cmd: ' npm test ', workdir: 'src', timeout: '5' },
        { approve: (plan) => (approved = plan), onProgress: (output) => progress.push(output) },
      );
      assert.deepEqual(approved, {
        kind: 'command',
        command: ' npm test ',
        cwd: { path: '/w/src', realPath: '/w/src', displayPath: 'src', exists: true },
        timeoutMs: 5000,
      });
      assert.deepEqual(requests, [{ command: ' npm test ', cwd: '/w/src', timeoutMs: 5000 }]);
      assert.deepEqual(progress, ['green\n']);
      assert.deepEqual(result, {
        content: 'Exit code 0.\nbuilt\n100%',
        isError: false,
        display: { ended: 'exited', exitCode: 0 },
      });
    });

    it('says how a command ended', async () => {
      const ending = async (change: Partial<CommandOutcome>): Promise<readonly unknown[]> => {
        outcome = { ...exited, output: 'x\n', ...change };
        const result = await call('run_terminal_command', { command: 'x' });
        assert.ok('content' in result);
        return [result.content, result.isError];
      };
      assert.deepEqual(await ending({ exitCode: 1 }), ['Exit code 1.\nx', true]);
      assert.deepEqual(await ending({ exitCode: null, signalName: 'SIGSEGV' }), ['Ended by SIGSEGV.\nx', true]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'timed_out' }), [
        'Ended after 120 s, its time limit. Give a longer timeout_seconds if it needs more. Output so far:\nx',
        true,
      ]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'stopped' }), ['x', true]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'failed_to_start', output: 'no such folder' }), [
        'The command could not be started.\nno such folder',
        true,
      ]);
      assert.deepEqual(await ending({ output: '', endedBackground: true }), [
        'Exit code 0.\n(no output)\n[It left processes running; they were ended.]',
        false,
      ]);
    });

    it('bounds the time limit', async () => {
      for (const seconds of [0, -5, 601, 100_000])
        await call('run_terminal_command', { command: 'x', timeout_seconds: seconds });
      assert.deepEqual(
        requests.map(({ timeoutMs }) => timeoutMs),
        [120_000, 120_000, 600_000, 600_000],
      );
    });

    it('refuses an empty command and a folder outside', async () => {
      for (const input of [
        { command: '  ' },
        { command: 'a\0b' },
        { command: 'ls', cwd: '/' },
        { command: 'ls', cwd: 'src/a.ts' },
      ]) {
        assert.ok('refused' in (await call('run_terminal_command', input)), JSON.stringify(input));
      }
      assert.deepEqual(requests, []);
    });

    it('runs nothing once it was stopped', async () => {
      await assert.rejects(call('run_terminal_command', { command: 'x' }, { signal: AbortSignal.abort() }), {
        name: 'AbortError',
      });
      assert.deepEqual(requests, []);
    });
  });

  it('keep their order and cost few tokens', () => {
    const ports = {
      fileSystem: new MemoryFileSystem(),
      textSearch: { search: assert.fail },
      commandRunner: { shellName: 'powershell', run: assert.fail },
    };
    const tools = createTools({ ports, roots: () => roots });
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['read_file', 'list_directory', 'search_text', 'apply_edit', 'write_file', 'run_terminal_command'],
    );
    const wire = JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    );
    assert.ok(wire.length / 4.1 < 550, `${Math.round(wire.length / 4.1)} tokens`);
    assert.doesNotMatch(wire, /"(pattern|format|oneOf|anyOf|\$ref|\$schema)":"/);
    const names = tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    assert.equal(new Set(names).size, names.length, 'an alias means one tool');
  });
});
