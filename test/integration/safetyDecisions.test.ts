import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import cases from '../fixtures/cases/safety-cases.json';
import { createApprovalHook } from '../../src/agent/approval/approvalHook';
import type { ApprovalRequest } from '../../src/agent/approval/approver';
import { createCommandAssessor, type CommandMachine } from '../../src/agent/approval/commandAssessor';
import type { PermissionMode } from '../../src/agent/approval/permissions';
import { noRules, RuleStore, type RuleTexts } from '../../src/agent/approval/ruleStore';
import { createTerminalApprover } from '../../src/cli/terminalApprover';
import { createNodeCommandWorld } from '../../src/workspace/node/nodeCommandWorld';
import { createNodePorts } from '../../src/workspace/node/createNodePorts';
import { commandEnvironment } from '../../src/workspace/node/commandEnvironment';
import type { WorkspacePlan } from '../../src/workspace/plans';
import { createTools } from '../../src/workspace/tools/createTools';
import { withDistinctNames } from '../../src/workspace/roots';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporaryFolder';

type Question = Omit<ApprovalRequest, 'id' | 'sessionId'>;

/** The rules of the person, as the cases have them. */
const allowed = ['git status', 'npm test', 'ls', 'echo'];

interface Situation {
  readonly mode?: PermissionMode;
  readonly shell?: string;
  readonly files?: Partial<RuleTexts>;
  readonly machine?: CommandMachine;
  readonly environment?: NodeJS.ProcessEnv;
}

/** The whole decision, with a real folder, a real repository and the real programs: from the tool's arguments to the verdict. */
describe('the safety samples that are decisions', function () {
  this.timeout(120_000);
  let outer: TemporaryFolder;
  let folder: string;
  const decided = new Map<string, string>();

  before(async () => {
    outer = await createTemporaryFolder({ 'w/a.txt': 'a\n', 'w/src/a.ts': 'let a = 1;\n', 'w/my dir/b.txt': 'b\n' });
    folder = path.join(outer.path, 'w');
    git(folder, 'init', '-q');
  });
  after(async () => {
    const groups = ['shell-allow', 'shell-ask-posix', 'shell-ask-pwsh', 'shell-ask-cmd', 'rules', 'git-env'];
    console.log(`      ${decided.size} samples decided: ${groups.join(', ')} in full, and others`);
    const missing = cases.filter(({ group, id }) => groups.includes(group) && !decided.has(id)).map(({ id }) => id);
    await outer.dispose();
    assert.deepEqual(missing, []);
  });

  function git(cwd: string, ...args: readonly string[]): void {
    execFileSync('git', args, { cwd, stdio: 'ignore', env: commandEnvironment(process.env) });
  }

  const sample = (id: string) => {
    const found = cases.find((candidate) => candidate.id === id) ?? assert.fail(id);
    return { ...found, input: found.input as unknown };
  };

  /** What becomes of a call, and what a person would be asked. */
  async function decide(toolName: string, input: Record<string, string>, situation: Situation = {}) {
    const {
      mode = 'ask',
      shell = 'bash',
      files,
      environment,
      machine = createNodeCommandWorld(environment),
    } = situation;
    const roots = () => withDistinctNames([{ name: 'w', path: folder }]);
    const node = createNodePorts();
    const ports = { ...node, commandRunner: { ...node.commandRunner, shellName: shell } };
    const asked: Question[] = [];
    const rules = new RuleStore({
      userSettings: () => ({ ...noRules, allow: allowed }),
      workspaceFiles: () => ({ ...noRules, ...files }),
      onInternalError: (error) => assert.fail(String(error)),
    });
    const hook = createApprovalHook({
      ask: (question) => {
        asked.push(question);
        return Promise.resolve({ action: 'deny' });
      },
      isTrusted: () => true,
      mode: () => mode,
      assessCommand: createCommandAssessor({ machine, ports, roots }),
      rules: rules.ofSession('s'),
      runEdits: { areAccepted: () => false, accept: () => {} },
    });
    const tool = createTools({ ports, roots }).find(({ name }) => name === toolName) ?? assert.fail(toolName);
    const signal = new AbortController().signal;
    const prepared = await tool.prepare(input, { toolUseId: 'call', signal, progress: () => {} });
    if (!prepared.ok) return { action: 'deny', asked, plan: undefined };
    const event = { type: 'PreToolUse', toolName, toolUseId: 'call', input, plan: prepared.plan, signal } as const;
    const decision = await hook(event);
    const action = asked.length > 0 ? 'ask' : (decision?.action ?? assert.fail('no decision'));
    const plan = decision?.action === 'allow' ? ((decision.plan ?? prepared.plan) as WorkspacePlan) : undefined;
    return { action, asked, plan };
  }

  const run = (command: string, situation?: Situation) =>
    decide('run_terminal_command', { command: command.replaceAll('/w/', `${folder}/`) }, situation);

  const shells: Readonly<Record<string, string>> = {
    'shell-allow': 'bash',
    'shell-ask-posix': 'bash',
    'shell-ask-pwsh': 'powershell',
    'shell-ask-cmd': 'cmd',
  };
  for (const { group, id, input, expected, note } of cases) {
    const shell = shells[group];
    if (shell === undefined || typeof input !== 'string') continue;
    it(`${id}: ${expected}: ${note}`, async () => {
      const { action, asked } = await run(input, { shell });
      assert.equal(action, expected, asked[0]?.reason);
      decided.set(id, action);
    });
  }

  it('SC11: asks where the folder could answer to the name of a program', async () => {
    const { command } = sample('SC11').input as { readonly command: string };
    const machine: CommandMachine = {
      ...createNodeCommandWorld(),
      findExecutable: async (file) => (path.dirname(file) === folder ? file : undefined),
    };
    const { action, asked } = await run(command, { shell: 'cmd', machine });
    decided.set('SC11', action);
    assert.equal(action, 'ask');
    assert.match(asked[0]?.reason ?? '', /current folder/);
  });

  it('RU05, RU08: asks whatever files of the workspace allow, and offers only what the person may say', async () => {
    for (const id of ['RU05', 'RU08']) {
      const { command } = sample(id).input as { readonly command: string };
      const { action, asked } = await run(command, { files: { allow: ['*', command] } });
      decided.set(id, action);
      assert.equal(action, 'ask');
      assert.deepEqual(asked[0]?.offers, { remember: { rules: [command], scopes: ['session'] } });
    }
  });

  it('RU12: offers nothing to remember for what cannot be analysed', async () => {
    const { alwaysAllowClickedOn } = sample('RU12').input as { readonly alwaysAllowClickedOn: string };
    const { action, asked } = await run(alwaysAllowClickedOn);
    decided.set('RU12', action);
    assert.deepEqual([action, asked[0]?.offers], ['ask', undefined]);
  });

  it('RU24: refuses every command in plan mode, those that only read included', async () => {
    const { command } = sample('RU24').input as { readonly command: string };
    for (const refused of [command, 'git status', 'ls']) {
      assert.equal((await run(refused, { mode: 'plan' })).action, 'deny', refused);
    }
    decided.set('RU24', 'deny');
  });

  it('RU26: denies where nobody can be asked, and counts it', async () => {
    const { command } = sample('RU26').input as { readonly command: string };
    const { asked } = await run(command);
    const approver = createTerminalApprover({ print: () => {} });
    const request = { ...(asked[0] ?? assert.fail('did not ask')), id: '1', sessionId: 's' };
    assert.equal((await approver.ask(request, { signal: new AbortController().signal })).action, 'deny');
    decided.set('RU26', 'deny');
    assert.equal(approver.unasked, 1);
  });

  it('GE04: asks in an embedded bare repository that would run a program', async () => {
    const { command } = sample('GE04').input as { readonly command: string };
    const sub = path.join(folder, 'sub');
    await mkdir(sub);
    git(sub, 'init', '-q', '--bare');
    git(sub, '--git-dir=.', 'config', 'core.worktree', '.');
    git(sub, '--git-dir=.', 'config', 'core.bare', 'false');
    git(sub, '--git-dir=.', 'config', 'core.fsmonitor', `touch ${path.join(outer.path, 'p')}`);
    const { action } = await decide('run_terminal_command', { command, cwd: 'sub' });
    decided.set('GE04', action);
    assert.deepEqual([action, existsSync(path.join(outer.path, 'p'))], ['ask', false]);
  });

  it('GE05: asks where the configuration includes another file', async () => {
    const repository = path.join(folder, 'includes');
    await mkdir(repository);
    git(repository, 'init', '-q');
    await writeFile(path.join(folder, 'evil.inc'), `[core]\n\tfsmonitor = touch ${path.join(outer.path, 'p')}\n`);
    git(repository, 'config', 'include.path', '../../evil.inc');
    const { command } = sample('GE05').input as { readonly command: string };
    const { action, asked } = await decide('run_terminal_command', { command, cwd: 'includes' });
    decided.set('GE05', action);
    assert.deepEqual([action, existsSync(path.join(outer.path, 'p'))], ['ask', false]);
    assert.equal(asked[0]?.offers, undefined);
  });

  it('GE06: gives git none of the variables that lead elsewhere, and those that keep it harmless', async () => {
    const { command, env } = sample('GE06').input as { readonly command: string; readonly env: NodeJS.ProcessEnv };
    const environment = { ...process.env, ...env };
    const { action, plan } = await run(command, { environment });
    decided.set('GE06', action);
    assert.equal(action, 'allow');
    assert.deepEqual(
      Object.keys(env).filter((name) => name in commandEnvironment(environment)),
      [],
    );
    assert.equal(plan?.kind === 'command' && plan.environment?.['GIT_OPTIONAL_LOCKS'], '0');
  });

  it('ED02: asks about files of other agents where edits are accepted', async () => {
    const { path: file } = sample('ED02').input as { readonly path: string };
    const { action, asked } = await decide('write_file', { path: file, content: '{}' }, { mode: 'acceptEdits' });
    decided.set('ED02', action);
    assert.deepEqual([action, asked[0]?.isSensitive, asked[0]?.offers], ['ask', true, undefined]);
  });

  it('ED05: asks about writing to where a move would lead', async () => {
    const { to } = sample('ED05').input as { readonly to: string };
    const { action, asked } = await decide('write_file', { path: to, content: '#!/bin/sh\n' }, { mode: 'acceptEdits' });
    decided.set('ED05', action);
    assert.deepEqual([action, asked[0]?.isSensitive], ['ask', true]);
  });

  it('PR14: never takes a folder of the model for the boundary', async () => {
    const { action } = await decide('run_terminal_command', { command: 'ls', cwd: '/' });
    decided.set('PR14', action);
    assert.notEqual(action, 'allow');
  });

  it('still forbids what a rule forbids inside a command that cannot be analysed', async () => {
    for (const { group, id, input } of cases) {
      if (group !== 'shell-ask-posix' || typeof input !== 'string' || !/\btouch p\b/.test(input)) continue;
      const { action } = await run(input, { files: { deny: ['touch *'] } });
      // Words inside one quoted argument are no call.
      assert.ok(action === 'deny' || action === 'ask', id);
    }
    assert.equal((await run(sample('SA01').input as string, { files: { deny: ['touch *'] } })).action, 'deny');
  });
});
