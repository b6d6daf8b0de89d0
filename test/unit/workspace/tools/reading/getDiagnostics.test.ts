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
  const tools = (diagnostics?: Diagnostics) =>
    createTools({
      ports: { fileSystem: new MemoryFileSystem({ '/w/a.ts': 'a\n' }), commandRunner, textSearch, diagnostics },
      roots: () => [{ name: 'w', path: '/w' }],
    });
  const knowing = (problems: readonly Problem[]) =>
    tools({ load: unused, watch: unused, read: async (file) => (file === '/w/a.ts' ? problems : unused()) });

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
