import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import {
  createNodePorts,
  openWorkspace,
  type ApprovalQuestion,
  type WorkspaceOptions,
} from '../../../src/library/workspace';
import type { AgentEvent } from '../../../src/sdk/events';
import { contentToText, tool, type Tool } from '../../../src/sdk/tool';
import type { CodeNavigation } from '../../../src/workspace/codeNavigation';
import type { Diagnostics } from '../../../src/workspace/ports';
import { createTools } from '../../../src/workspace/tools/createTools';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { record, scriptedClient } from '../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../support/servers/scriptedProvider';

const grammarFolder = path.join(projectRoot, 'node_modules/@vscode/tree-sitter-wasm/wasm');
const shellGrammars: WorkspaceOptions['shellGrammars'] = {
  module: () => import('@vscode/tree-sitter-wasm'),
  read: (name) => readFile(path.join(grammarFolder, `${name}.wasm`)),
};

const edit = (name: string) =>
  toolUse('e1', 'apply_edit', { path: name, edits: [{ old_text: 'one', new_text: 'two' }] });
const command = (text: string) => toolUse('c1', 'run_terminal_command', { command: text });

const resultsOf = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'tool_execution_end' ? [contentToText(event.result.content)] : []));

describe('the workspace of a program', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'a.txt': 'one\n', '.env': 'KEY=one\n' });
  });
  afterEach(() => folder.dispose());

  const contentOf = (name: string): Promise<string> => readFile(path.join(folder.path, name), 'utf8');

  /** Runs one call. Returns what was asked, and the results. */
  async function runCall(call: ReturnType<typeof toolUse>, options: WorkspaceOptions = {}) {
    const workspace = openWorkspace(folder.path, options);
    const { client } = scriptedClient([response([call]), textResponse('Done.')], workspace);
    const { events, result } = await record(client.run('Go.'));
    return { results: resultsOf(events), result, client };
  }

  it('denies what asks when nobody can be asked, and lets it read', async () => {
    const edited = await runCall(edit('a.txt'));
    assert.match(edited.results[0] ?? '', /denied.*asks nobody/s);
    assert.match((await runCall(command('echo hi'))).results[0] ?? '', /denied/);
    assert.match((await runCall(toolUse('r1', 'read_file', { path: 'a.txt' }))).results[0] ?? '', /one/);
    assert.match((await runCall(toolUse('r1', 'read_file', { path: '.env' }))).results[0] ?? '', /denied/);
    assert.match((await runCall(toolUse('r1', 'read_file', { path: '/etc/passwd' }))).results[0] ?? '', /denied/);
    assert.equal(await contentOf('a.txt'), 'one\n');
  });

  it('accepts ordinary edits in that mode only, and protected ones in none', async () => {
    await runCall(edit('a.txt'), { mode: 'plan', ask: async () => ({ action: 'allow' }) });
    assert.equal(await contentOf('a.txt'), 'one\n');
    await runCall(edit('a.txt'), { mode: () => 'acceptEdits' });
    await runCall(edit('.env'), { mode: 'acceptEdits' });
    assert.deepEqual([await contentOf('a.txt'), await contentOf('.env')], ['two\n', 'KEY=one\n']);
  });

  for (const answer of [{ action: 'maybe' }, true, undefined, null, { action: 'allow', editedText: 'evil' }]) {
    it(`takes only a clear answer: ${JSON.stringify(answer)}`, async () => {
      const { results } = await runCall(edit('a.txt'), { ask: async () => answer as never });
      const isYes = typeof answer === 'object' && answer?.action === 'allow';
      assert.equal(await contentOf('a.txt'), isYes ? 'two\n' : 'one\n');
      if (!isYes) assert.match(results[0] ?? '', /The answer to the question was not understood/);
    });
  }

  it('denies when asking fails', async () => {
    const { results } = await runCall(edit('a.txt'), { ask: async () => assert.fail('The terminal is gone.') });
    assert.match(results[0] ?? '', /Nobody could be asked: The terminal is gone/);
  });

  it('runs other tools only where the program names them', async () => {
    const other = tool('other', 'Other', {}, () => 'Ran.');
    const run = async (options: WorkspaceOptions): Promise<string | undefined> => {
      const workspace = openWorkspace(folder.path, options);
      const parts = { approvalHook: workspace.approvalHook, tools: [...workspace.tools, other] };
      const { client } = scriptedClient([response([toolUse('o1', 'other')]), textResponse('Done.')], parts);
      return resultsOf((await record(client.run('Go.'))).events)[0];
    };
    assert.match((await run({ ask: async () => ({ action: 'allow' }) })) ?? '', /denied.*trustedTools/s);
    assert.equal(await run({ trustedTools: ['other'] }), 'Ran.');
    assert.throws(() => openWorkspace(folder.path, { trustedTools: ['write_file'] }), { code: 'invalid_options' });
  });

  it('offers the tools as those that do the work are, with all that a client asks of them', () => {
    const ports = {
      ...createNodePorts(),
      diagnostics: { known: () => new Map() } as unknown as Diagnostics,
      codeNavigation: {} as CodeNavigation,
    };
    const plan = { target: { realPath: '/a' } };
    const asked = (tools: readonly Tool[]) =>
      tools.map((each) => ({
        ...each,
        ...{ validate: each.validate({ path: 'a', old: 'x' }), execute: typeof each.execute, prepare: 0, run: 0 },
        ...{ touches: each.touches?.(plan), preload: typeof each.preload },
      }));
    const work = createTools({ ports, roots: () => [{ name: 'a', path: folder.path }] });
    assert.deepEqual(asked(openWorkspace(folder.path, { ports }).tools), asked(work));
  });

  it('reads commands with the grammars that the program gives: rules hold, and dangers are told', async () => {
    const asked: ApprovalQuestion[] = [];
    const options: WorkspaceOptions = {
      shellGrammars,
      rules: { allow: ['node --version'], deny: ['git push *'] },
      ask: async (question) => {
        asked.push(question);
        return { action: 'deny' };
      },
    };
    assert.match((await runCall(command('cat a.txt'), options)).results[0] ?? '', /one/);
    assert.match((await runCall(command('node --version'), options)).results[0] ?? '', /v\d+\./);
    assert.match((await runCall(command('git push origin'), options)).results[0] ?? '', /Forbidden by/);
    assert.equal(asked.length, 0);
    await runCall(command('rm -rf /'), options);
    await runCall(command('cat .env'), options);
    assert.deepEqual(
      asked.map(({ preview }) => preview),
      ['in .: rm -rf /', 'in .: cat .env'],
    );
    assert.ok((asked[0]?.dangers ?? []).length > 0);
  });

  it('asks about every command when the grammars cannot be loaded', async () => {
    const broken = { ...shellGrammars, read: () => Promise.reject(new Error('gone')) };
    const { results } = await runCall(command('cat a.txt'), { shellGrammars: broken });
    assert.match(results[0] ?? '', /denied.*asks nobody/s);
  });

  it('refuses options that it could not keep', () => {
    const wrong: readonly [string, WorkspaceOptions][] = [
      ['about commands', { rules: { deny: ['git push *'] } }],
      ['about commands', { rules: { allow: ['npm test'] } }],
      ['rule', { rules: { deny: ['edit:'] } }],
      ['yolo', { mode: 'yolo' as never }],
      ['sandbox', { mode: 'sandbox' as never }],
    ];
    for (const [says, options] of wrong) {
      assert.throws(() => openWorkspace(folder.path, options), new RegExp(says));
    }
    assert.throws(() => openWorkspace('app'), /no absolute path/);
    assert.throws(() => openWorkspace([]), /folders/);
  });

  it('waits for an answer that comes in another process, and edits only the file that was seen', async () => {
    const options: WorkspaceOptions = { ask: async () => ({ action: 'wait' }) };
    const { result } = await runCall(edit('a.txt'), options);
    assert.equal(result.outcome, 'waiting');
    const saved = JSON.stringify(result.waiting);
    const [call] = result.waiting?.calls ?? [];
    assert.ok(call);
    const allow = { action: 'allow', toolUseId: call.toolUseId, planHash: call.planHash } as const;
    const resume = async () => {
      const { client } = scriptedClient([textResponse('Done.')], openWorkspace(folder.path, options));
      return (await record(client.resumeRun(saved, [allow]))).result;
    };
    await writeFile(path.join(folder.path, 'a.txt'), 'one more\n');
    assert.equal((await resume()).outcome, 'waiting');
    await writeFile(path.join(folder.path, 'a.txt'), 'one\n');
    assert.equal((await resume()).outcome, 'completed');
    assert.equal(await contentOf('a.txt'), 'two\n');
  });
});
