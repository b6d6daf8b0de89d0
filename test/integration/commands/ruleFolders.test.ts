import fc from 'fast-check';
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { createApprovalHook } from '../../../src/agent/approval/approvalHook';
import type { ApprovalDecision } from '../../../src/agent/approval/approver';
import { createCommandAssessor } from '../../../src/agent/approval/commandAssessor';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';
import { noRules, RuleStore } from '../../../src/agent/approval/rules/ruleStore';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import type { Root } from '../../../src/workspace/ports';
import { createTools } from '../../../src/workspace/tools/createTools';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** A folder as a model can name it, and where it really is. `null`: outside the workspace. */
interface Place {
  readonly cwd: string;
  readonly real: string | null;
}

const PLACES: readonly Place[] = [
  { cwd: '', real: '' },
  { cwd: '.', real: '' },
  { cwd: 'self', real: '' },
  { cwd: 'packages/a', real: 'packages/a' },
  { cwd: './packages/b/../a/', real: 'packages/a' },
  { cwd: 'a', real: 'packages/a' },
  { cwd: 'packages/a/src', real: 'packages/a/src' },
  { cwd: 'packages/b', real: 'packages/b' },
  { cwd: 'node_modules/evil', real: 'node_modules/evil' },
  { cwd: 'evil', real: 'node_modules/evil' },
  { cwd: 'out', real: null },
];

describe('the folder of a rule about a command', () => {
  let outer: TemporaryFolder;
  let folder: string;
  let roots: readonly Root[];
  const ports = createNodePorts();
  const assessCommand = createCommandAssessor({
    grammars: bundledGrammars(),
    machine: createNodeCommandWorld(),
    ports,
    roots: () => roots,
  });

  before(async () => {
    outer = await createTemporaryFolder({
      'w/package.json': '{}',
      'w/packages/a/src/x.ts': '',
      'w/packages/b/x.ts': '',
      'w/node_modules/evil/package.json': '{"scripts":{"test":"cat ../../.env"}}',
      'outside/x.txt': '',
    });
    folder = path.join(outer.path, 'w');
    roots = [{ name: 'w', path: folder }];
    await symlink('.', path.join(folder, 'self'));
    await symlink('packages/a', path.join(folder, 'a'));
    await symlink('node_modules/evil', path.join(folder, 'evil'));
    await symlink('../outside', path.join(folder, 'out'));
  });
  after(() => outer.dispose());

  function storeWith(allow: readonly string[], memory: readonly unknown[] = []): RuleStore {
    return new RuleStore({
      userSettings: () => ({ ...noRules, allow }),
      memory: { read: () => memory, write: () => Promise.resolve() },
      onInternalError: (error) => assert.fail(String(error)),
    });
  }

  /** Whether a command runs unasked, and the reasons of the questions. */
  async function run(command: string, cwd: string, rules: RuleStore, decision: ApprovalDecision = { action: 'deny' }) {
    const questions: { readonly reason: string; readonly folder: string | undefined }[] = [];
    const hook = createApprovalHook({
      ask: ({ reason, offers }) => {
        questions.push({ reason, folder: offers?.remember?.folder?.name });
        return Promise.resolve(decision);
      },
      isTrusted: () => true,
      mode: () => 'ask',
      assessCommand,
      rules: rules.ofSession('s'),
    });
    const tool = createTools({ ports, roots: () => roots }).find(({ name }) => name === 'run_terminal_command');
    assert.ok(tool);
    const { signal } = new AbortController();
    const prepared = await tool.prepare({ command, cwd }, { toolUseId: 'c', signal, progress: () => {} });
    assert.ok(prepared.ok && 'plan' in prepared);
    const { name: toolName } = tool;
    await hook({ type: 'PreToolUse', toolName, toolUseId: 'c', input: {}, plan: prepared.plan, signal });
    return { isUnasked: questions.length === 0, questions };
  }

  it('is the workspace folder for a rule of the settings or of an older version', async () => {
    for (const { cwd, real } of PLACES) {
      for (const rules of [storeWith(['make all']), storeWith([], ['make all'])]) {
        assert.equal((await run('make all', cwd, rules)).isUnasked, real === '', cwd);
      }
    }
  });

  it('says that rules of other folders do not count', async () => {
    const { questions } = await run('npm test', 'node_modules/evil', storeWith(['npm test']));
    assert.deepEqual(questions, [
      {
        reason: 'Asks because it is allowed in another folder only, and can do something else here.',
        folder: 'node_modules/evil',
      },
    ]);
  });

  it('shows the folder that an always is for, by its real path if a link leads there', async () => {
    const shown = async (cwd: string) => (await run('npm test', cwd, storeWith([]))).questions[0]?.folder;
    assert.deepEqual([await shown('.'), await shown('packages/a')], ['.', 'packages/a']);
    assert.equal(await shown('evil'), path.join(folder, 'node_modules/evil'));
  });

  it('is the real folder of the card for an always, whatever name the folder has', async () => {
    const place = fc.constantFrom(...PLACES);
    const property = fc.asyncProperty(
      place,
      place,
      fc.constantFrom('session', 'workspace'),
      async (given, used, scope) => {
        const kept: unknown[] = [];
        const rules = new RuleStore({
          userSettings: () => noRules,
          memory: { read: () => kept, write: async (stored) => void kept.splice(0, kept.length, ...stored) },
          onInternalError: (error) => assert.fail(String(error)),
        });
        const first = await run('make all', given.cwd, rules, { action: 'allow', remember: scope as 'session' });
        assert.equal(first.isUnasked, false);
        const isSame = given.real !== null && given.real === used.real;
        assert.equal((await run('make all', used.cwd, rules)).isUnasked, isSame);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });
});
