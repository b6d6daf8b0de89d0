import assert from 'node:assert/strict';
import { createTools } from '../../../../../src/workspace/tools/createTools';
import type { ReadPlan } from '../../../../../src/workspace/plans';
import type { CommandRunner, Diagnostics, Problem, TextSearch } from '../../../../../src/workspace/ports';
import { callTool } from '../../../../support/callTool';
import { MemoryFileSystem } from '../../../../support/files/memoryFileSystem';

const unused = (): never => assert.fail('not used here');
const commandRunner: CommandRunner = { shellName: 'bash', run: unused };
const textSearch: TextSearch = { search: unused };

describe('get_diagnostics', () => {
  const files = { '/w/a.ts': 'a\n', '/w/src/b.ts': 'b\n', '/w/.env': 'KEY=1\n', '/other/c.ts': 'c\n' };
  const tools = (diagnostics?: Diagnostics) =>
    createTools({
      ports: { fileSystem: new MemoryFileSystem(files), commandRunner, textSearch, diagnostics },
      roots: () => [{ name: 'w', path: '/w' }],
    });
  const knowing = (problems: readonly Problem[]) =>
    tools({
      load: unused,
      watch: unused,
      read: async (file) => (file === '/w/a.ts' ? problems : unused()),
      known: () => new Map(),
    });
  const error = (line: number, message: string): Problem => ({ line, severity: 'error', message });
  const warning = (line: number, message: string): Problem => ({ line, severity: 'warning', message });

  describe('of the workspace', () => {
    let known: Map<string, readonly Problem[]>;
    /** The tools of a session that begins with what is known now. */
    const beginSession = () =>
      tools({ load: unused, watch: unused, read: async (file) => known.get(file) ?? [], known: () => known });

    const read = async (session: ReturnType<typeof beginSession>, input = {}) => {
      const result = await callTool(session, 'get_diagnostics', input);
      return 'refused' in result ? result.refused : result.content;
    };

    beforeEach(() => {
      known = new Map([
        ['/w/a.ts', [warning(1, 'Unused.')]],
        ['/w/src/b.ts', []],
      ]);
    });

    it('counts by severity, and lists the problems that are new in the session first', async () => {
      const session = beginSession();
      known = new Map([
        ['/w/a.ts', [warning(2, 'Unused.')]],
        ['/w/src/b.ts', [warning(4, 'Odd.'), error(9, 'Wrong.')]],
      ]);
      assert.equal(
        await read(session),
        [
          '1 error, 2 warnings in 2 files.',
          'New since this session began:',
          'src/b.ts:',
          'line 9: error: Wrong.',
          'line 4: warning: Odd.',
          'Older:',
          'a.ts:',
          'line 2: warning: Unused.',
        ].join('\n'),
      );
      assert.equal(
        await read(session, { path: 'src' }),
        [
          '1 error, 1 warning in 1 file.',
          'New since this session began:',
          'src/b.ts:',
          'line 9: error: Wrong.',
          'line 4: warning: Odd.',
        ].join('\n'),
      );
    });

    it('splits the problems of one file too', async () => {
      const session = beginSession();
      known = new Map([['/w/a.ts', [warning(1, 'Unused.'), error(3, 'Wrong.')]]]);
      assert.equal(
        await read(session, { path: 'a.ts' }),
        'a.ts:\nNew since this session began:\nline 3: error: Wrong.\nOlder:\nline 1: warning: Unused.',
      );
    });

    it('counts the problems of a file that nothing was known about as older', async () => {
      known = new Map();
      const session = beginSession();
      known = new Map([['/w/a.ts', [error(1, 'Wrong.')]]]);
      assert.equal(await read(session), '1 error in 1 file.\na.ts:\nline 1: error: Wrong.');
    });

    it('leaves out protected files and files outside the workspace', async () => {
      known = new Map([
        ['/w/.env', [error(1, 'KEY=secret is wrong.')]],
        ['/other/c.ts', [error(1, 'Other.')]],
        ['/w/gone.ts', [error(1, 'Gone.')]],
      ]);
      assert.equal(
        await read(beginSession()),
        'No problems are reported. Files that are not open may not have been checked.',
      );
    });

    it('is bounded, and says how much it left out', async () => {
      known = new Map([['/w/a.ts', Array.from({ length: 1_000 }, (_, line) => error(line + 1, 'x'.repeat(1_000)))]]);
      const text = await read(beginSession());
      assert.ok(typeof text === 'string');
      assert.ok(text.length < 5_000, String(text.length));
      assert.match(text, /^1000 errors in 1 file\.\n[^]*\nand 990 more$/);
    });
  });

  it('lists the problems that the editor shows', async () => {
    const problem: Problem = { line: 1, severity: 'error', message: "Cannot find name 'a'.", source: 'ts' };
    assert.deepEqual(await callTool(knowing([problem]), 'read_lints', { file: 'a.ts' }), {
      content: "a.ts:\nline 1: error: Cannot find name 'a'. (ts)",
      isError: false,
    });
  });

  it('reports that there are none', async () => {
    assert.deepEqual(await callTool(knowing([]), 'get_diagnostics', { path: 'a.ts' }), {
      content: 'No problems are reported in a.ts.',
      isError: false,
    });
  });

  it('leaves a file outside the workspace to a question', async () => {
    const approve = (plan: unknown): never => {
      assert.equal((plan as ReadPlan).target.pathInRoot, null);
      throw new Error('denied');
    };
    await assert.rejects(callTool(knowing([]), 'get_diagnostics', { path: '../secret.ts' }, { approve }), /denied/);
  });

  it('does not exist without an editor', () => {
    assert.deepEqual(
      tools().map(({ name }) => name),
      ['read_file', 'list_directory', 'search_text', 'apply_edit', 'write_file', 'run_terminal_command'],
    );
  });
});
