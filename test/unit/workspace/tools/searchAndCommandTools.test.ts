import assert from 'node:assert/strict';
import { createTools } from '../../../../src/workspace/tools/createTools';
import type { ReadPlan } from '../../../../src/workspace/plans';
import type {
  CommandOutcome,
  CommandRequest,
  Root,
  TextQuery,
  TextSearchOutcome,
} from '../../../../src/workspace/ports';
import type { CommandOptions } from '../../../../src/workspace/tools/workspaceAccess';
import type { JsonObject } from '../../../../src/util/json';
import { callTool, type CallOptions, type CallResult } from '../../../support/callTool';
import { FakeBackgroundCommands } from '../../../support/commands/fakeBackgroundCommands';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

const exited: CommandOutcome = { exitCode: 0, signalName: null, ended: 'exited', output: '', omittedBytes: 0 };

describe('the tools that search and run', () => {
  let roots: readonly Root[];
  let queries: TextQuery[];
  let requests: CommandRequest[];
  let found: (query: TextQuery) => TextSearchOutcome;
  let outcome: CommandOutcome;
  let background: FakeBackgroundCommands;
  let commandOptions: CommandOptions;
  let confinementProblem: string | undefined;

  beforeEach(() => {
    roots = [{ name: 'w', path: '/w' }];
    queries = [];
    requests = [];
    found = () => ({ matches: [], isCut: false });
    outcome = exited;
    background = new FakeBackgroundCommands();
    commandOptions = { inTerminal: false };
    confinementProblem = undefined;
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
          backgroundCommands: background,
          commandOutputs: {
            stat: async (id) => (id === 'output:0000000a' ? { kind: 'file', size: 8, modifiedMs: 0 } : undefined),
            readSlice: async () => new TextEncoder().encode('one\ntwo\n'),
            openText: async () => ({ text: 'one\ntwo\n', isDirty: false }),
          },
          confinement: { findProblem: async () => confinementProblem },
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
        commandOptions: () => commandOptions,
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
      assert.deepEqual(
        queries.map(({ isWanted: _isWanted, ...query }) => query),
        [
          { pattern: 'needle', include: '*.ts', isRegex: true, isCaseSensitive: false, path: '/w', maxMatches: 100 },
          { pattern: 'needle$', include: undefined, isRegex: true, isCaseSensitive: true, path: '/w', maxMatches: 100 },
        ],
      );
    });

    it('reports that there are more matches', async () => {
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
        /\[5\d of more than 100 matches shown\. Narrow the search with path, glob or a longer pattern\.\]$/,
      );
    });

    it('refuses a glob that stands for too many patterns', async () => {
      assert.deepEqual(await call('search_text', { pattern: 'x', include: '{a,b}'.repeat(30) }), {
        refused: `The pattern "${'{a,b}'.repeat(12)}…" stands for more than 500 patterns. Use fewer alternatives in braces.`,
      });
      assert.deepEqual(queries, []);
    });

    it('says where it found nothing, and what to do', async () => {
      assert.deepEqual(await call('search_text', { pattern: 'foo.*bar', path: 'src' }), {
        content:
          'No match for "foo.*bar" in src. The pattern was searched literally. Set is_regex for a regular expression.',
        isError: false,
      });
      assert.deepEqual(await call('search_text', { pattern: 'foo', include: '*.py' }), {
        content:
          'No match for "foo" in the workspace in files like *.py. Ignored, binary, very big and protected files (such as .env) were not searched.',
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

    it('refuses an invalid pattern, and leaves a path outside to a question', async () => {
      assert.match(
        JSON.stringify(await call('search_text', { pattern: '(', is_regex: 'true' })),
        /Correct the pattern/,
      );
      let asked: unknown;
      await call('search_text', { pattern: 'x', path: '/etc' }, { approve: (plan) => (asked = plan) });
      assert.equal((asked as ReadPlan).target.pathInRoot, null);
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
    it('plans the unchanged command, and reports exit code and output', async () => {
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
        cwd: { path: '/w/src', realPath: '/w/src', displayPath: 'src', pathInRoot: 'src', exists: true },
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

    it('reports how a command ended', async () => {
      const ending = async (change: Partial<CommandOutcome>): Promise<readonly unknown[]> => {
        outcome = { ...exited, output: 'x\n', ...change };
        const result = await call('run_terminal_command', { command: 'x' });
        assert.ok('content' in result);
        return [result.content, result.isError];
      };
      assert.deepEqual(await ending({ exitCode: 1 }), ['Exit code 1.\nx', true]);
      assert.deepEqual(await ending({ exitCode: null, signalName: 'SIGSEGV' }), ['Ended by SIGSEGV.\nx', true]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'timed_out' }), [
        'Ended after 120 s, its time limit. Set a longer timeout_seconds if it needs more. Output so far:\nx',
        true,
      ]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'stopped' }), ['x', true]);
      assert.deepEqual(await ending({ exitCode: null, ended: 'failed_to_start', output: 'no such folder' }), [
        'The command could not be started.\nno such folder',
        true,
      ]);
      assert.deepEqual(await ending({ output: '', endedBackground: true }), [
        'Exit code 0.\n(no output)\n[It left processes running, and they were ended. Use background: true to keep them.]',
        false,
      ]);
    });

    it('starts a command in the background, reads its output, and stops it', async () => {
      background.firstOutput = 'listening\n';
      assert.deepEqual(await call('run_terminal_command', { command: 'npm start', run_in_background: 'true' }), {
        content:
          'Running in the background. read_file "output:00000000" shows its output; the command "stop output:00000000" ends it.\nlistening',
        isError: false,
        display: { background: 'output:00000000' },
      });
      assert.deepEqual([background.requests, requests], [[{ command: 'npm start', cwd: '/w' }], []]);
      const stop = { command: 'stop output:00000000' };
      const plans: unknown[] = [];
      const approve = (plan: unknown): unknown => {
        plans.push(plan);
        return plan;
      };
      assert.deepEqual(await call('run_terminal_command', stop, { approve }), {
        content: 'Stopped. Its output stays in output:00000000.',
        isError: false,
      });
      const target = { displayPath: 'output:00000000', pathInRoot: 'output:00000000', exists: true };
      const path = { path: 'output:00000000', realPath: 'output:00000000' };
      assert.deepEqual(plans, [{ kind: 'read', target: { ...path, ...target }, query: { stop: 'output:00000000' } }]);
      assert.deepEqual(await call('run_terminal_command', stop), {
        content: 'output:00000000 is not running any more. read_file "output:00000000" shows its output.',
        isError: true,
      });
      assert.deepEqual(await call('read_file', { path: 'output:0000000a', start_line: 2 }), {
        content: 'output:0000000a (lines 2-2 of 2):\ntwo',
        isError: false,
      });
      assert.deepEqual(await call('read_file', { path: 'output:0000000b' }), {
        refused: 'output:0000000b is no longer kept. Run the command again if you need its output.',
      });
      // Anything more is a command like any other.
      await call('run_terminal_command', { command: 'stop output:00000000; rm x' });
      assert.equal(requests.at(-1)?.command, 'stop output:00000000; rm x');
    });

    it('reports that a command seems to ask for input', async () => {
      const hint = 'ask for input';
      const isSaid = async (output: string, change: Partial<CommandOutcome> = { exitCode: 1 }): Promise<boolean> => {
        outcome = { ...exited, output, ...change };
        const result = await call('run_terminal_command', { command: 'x' });
        assert.ok('content' in result);
        return JSON.stringify(result.content).includes(hint);
      };
      for (const question of [
        'Do you want to continue? [Y/n] ',
        "Password for 'https://git.example.org': ",
        'Overwrite a.txt? (yes/no)',
        'Press any key to go on',
        "fatal: could not read Username for 'https://git.example.org': terminal prompts disabled",
        'sudo: a terminal is required to read the password',
      ]) {
        assert.equal(await isSaid(question), true, question);
      }
      assert.equal(await isSaid('Continue? [y/N]', { exitCode: null, ended: 'timed_out' }), true);
      assert.equal(await isSaid('Continue? [y/N]', { exitCode: 0 }), false);
      for (const output of ['error: expected ";"', 'What went wrong:', '3 tests failed', '']) {
        assert.equal(await isSaid(output), false, output);
      }
    });

    it('names variables that it mentions and that were not passed on', async () => {
      outcome = { ...exited, output: 'x', withheld: ['NPM_TOKEN'] };
      const result = await call('run_terminal_command', { command: 'x' });
      assert.deepEqual(
        'content' in result && result.content,
        'Exit code 0.\nx\n[Not passed to commands, because they look like secrets: NPM_TOKEN. ' +
          'The user can pass them on with openAgent.commandEnvironment, or --pass-env on the command line.]',
      );
    });

    it('names processes that could not be ended', async () => {
      outcome = { ...exited, output: 'x', surviving: [12, 13] };
      const result = await call('run_terminal_command', { command: 'x' });
      assert.deepEqual(
        'content' in result && result.content,
        'Exit code 0.\nx\n[These processes could not be ended: 12, 13.]',
      );
    });

    it('plans confinement and terminal by the settings, and runs the approved plan', async () => {
      const plan = async (input: JsonObject = {}): Promise<unknown> => {
        let planned: unknown;
        await call('run_terminal_command', { command: 'x', ...input }, { approve: (made) => (planned = made) });
        return planned;
      };
      const cwd = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };
      const base = { kind: 'command', command: 'x', cwd, timeoutMs: 120_000 };
      commandOptions = { inTerminal: true };
      assert.deepEqual(await plan(), { ...base, inTerminal: true });
      assert.equal(requests.at(-1)?.inTerminal, true);
      assert.deepEqual(await plan({ background: true }), { ...base, isBackground: true });
      commandOptions = { inTerminal: true, confinement: 'workspace-no-network' };
      const confinement = { allowsNetwork: false, writable: ['/w'] };
      assert.deepEqual(await plan(), { ...base, confinement });
      assert.deepEqual(requests.at(-1)?.confinement, confinement);
      await plan({ background: true });
      assert.deepEqual(background.requests.at(-1), { command: 'x', cwd: '/w', confinement });
    });

    it('says why a confined command could not write', async () => {
      outcome = {
        ...exited,
        exitCode: 128,
        output: "fatal: Unable to create '/w/.git/index.lock': Read-only file system",
      };
      const text = async (): Promise<string> => JSON.stringify(await call('run_terminal_command', { command: 'x' }));
      assert.doesNotMatch(await text(), /confined/);
      commandOptions = { inTerminal: false, confinement: 'workspace' };
      assert.match(await text(), /Commands are confined here: .* not to \.git/);
    });

    it('runs nothing that must be confined but cannot be', async () => {
      commandOptions = { inTerminal: false, confinement: 'workspace' };
      confinementProblem = 'bubblewrap is not installed.';
      assert.deepEqual(await call('run_terminal_command', { command: 'x' }), {
        refused: 'Nothing was run: commands must be confined, but bubblewrap is not installed. Tell the user.',
      });
      assert.deepEqual(requests, []);
    });

    it('limits the time limit', async () => {
      for (const seconds of [0, -5, 601, 100_000])
        await call('run_terminal_command', { command: 'x', timeout_seconds: seconds });
      assert.deepEqual(
        requests.map(({ timeoutMs }) => timeoutMs),
        [120_000, 120_000, 600_000, 600_000],
      );
    });

    it('refuses an empty command, and a file as folder', async () => {
      for (const input of [{ command: '  ' }, { command: 'a\0b' }, { command: 'ls', cwd: 'src/a.ts' }]) {
        assert.ok('refused' in (await call('run_terminal_command', input)), JSON.stringify(input));
      }
      assert.deepEqual(requests, []);
    });

    it('runs nothing after it was stopped', async () => {
      const stopping = new AbortController();
      const approve = (plan: unknown) => {
        stopping.abort();
        return plan;
      };
      await assert.rejects(call('run_terminal_command', { command: 'x' }, { signal: stopping.signal, approve }), {
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
