import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { createApprovalHook } from '../../../src/agent/approval/approvalHook';
import type { ApprovalRequest } from '../../../src/agent/approval/approver';
import { createCommandAssessor, type CommandMachine } from '../../../src/agent/approval/commandAssessor';
import { bundledGrammars } from '../../../src/workspace/shell/parse/bundledGrammars';
import type { PermissionMode } from '../../../src/agent/view/permissionModes';
import { summarizeRequest } from '../../../src/agent/approval/requests';
import { noRules, RuleStore, type RuleTexts } from '../../../src/agent/approval/rules/ruleStore';
import { createTerminalApprover } from '../../../src/cli/terminal/terminalApprover';
import { createNodeCommandWorld } from '../../../src/workspace/node/commands/nodeCommandWorld';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { commandEnvironment } from '../../../src/workspace/node/commands/commandEnvironment';
import type { WorkspacePlan } from '../../../src/workspace/plans';
import { isReadingFirst } from '../../../src/sdk/tool';
import { createTools } from '../../../src/workspace/tools/createTools';
import { withDistinctNames } from '../../../src/workspace/paths/roots';
import { safetySample, textSamples } from '../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

type Question = Omit<ApprovalRequest, 'id' | 'sessionId'>;

const Command = z.object({ command: z.string() });

/** The person's rules in the cases. */
const allowed = ['git status', 'npm test', 'ls', 'echo'];

interface Situation {
  readonly mode?: PermissionMode;
  readonly shell?: string;
  readonly files?: Partial<RuleTexts>;
  readonly machine?: CommandMachine;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The whole decision, with a real folder, a real repository and the real programs: from the tool's arguments to the
 * verdict.
 */
describe('safety samples: decisions', () => {
  let outer: TemporaryFolder;
  let folder: string;

  before(async () => {
    outer = await createTemporaryFolder({ 'w/a.txt': 'a\n', 'w/src/a.ts': 'let a = 1;\n', 'w/my dir/b.txt': 'b\n' });
    folder = path.join(outer.path, 'w');
    git(folder, 'init', '-q');
  });
  after(() => outer.dispose());

  function git(cwd: string, ...args: readonly string[]): void {
    execFileSync('git', args, { cwd, stdio: 'ignore', env: commandEnvironment(process.env) });
  }

  /** The decision about a call, and the question for the person. */
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
      assessCommand: createCommandAssessor({ grammars: bundledGrammars(), machine, ports, roots }),
      rules: rules.ofSession('s'),
      runEdits: { areAccepted: () => false, accept: () => {} },
    });
    const tool = createTools({ ports, roots }).find(({ name }) => name === toolName) ?? assert.fail(toolName);
    const signal = new AbortController().signal;
    const valid = tool.validate(input);
    assert.ok(valid.ok);
    const prepared = await tool.prepare(valid.input, { toolUseId: 'call', signal, progress: () => {} });
    if (!prepared.ok) return { action: 'deny', asked, plan: undefined };
    const first = isReadingFirst(prepared) ? prepared.reading : prepared.plan;
    const event = { type: 'PreToolUse', toolName, toolUseId: 'call', input, plan: first, signal } as const;
    const decision = await hook(event);
    const action = asked.length > 0 ? 'ask' : (decision?.action ?? assert.fail('no decision'));
    const plan = decision?.action === 'allow' ? ((decision.plan ?? first) as WorkspacePlan) : undefined;
    return { action, asked, plan };
  }

  const run = (command: string, situation?: Situation) =>
    decide('run_terminal_command', { command: command.replaceAll('/w/', `${folder}/`) }, situation);

  const tables = [
    { shell: 'bash', samples: textSamples('shell-allow') },
    { shell: 'bash', samples: textSamples('shell-ask-posix') },
    { shell: 'powershell', samples: textSamples('shell-ask-pwsh') },
    { shell: 'cmd', samples: textSamples('shell-ask-cmd') },
  ];
  for (const { shell, samples } of tables) {
    for (const { id, input, expected, note } of samples) {
      it(`${id}: ${expected}: ${note}`, async () => {
        const { action, asked } = await run(input, { shell });
        assert.equal(action, expected, asked[0]?.reason);
      });
    }
  }

  it('asks if the folder could supply the program (SC11)', async () => {
    const shape = z.object({ command: z.string(), files: z.array(z.string()) });
    const { command, files } = safetySample('SC11', shape).input;
    const names = files.map((file) => path.win32.basename(file));
    const machine: CommandMachine = {
      ...createNodeCommandWorld(),
      extensions: '.COM;.EXE;.BAT;.CMD',
      findExecutable: async (file) =>
        path.dirname(file) === folder && names.some((name) => name.startsWith(path.basename(file))) ? file : undefined,
    };
    const { action, asked } = await run(command, { shell: 'cmd', machine });
    assert.equal(action, 'ask');
    assert.match(asked[0]?.reason ?? '', /npm, which is in the current folder/);
  });

  it('asks despite allow rules in files of the workspace, and shows them as suggestions', async () => {
    const settings = z.object({ settings: z.object({ 'agent.approval.allow': z.array(z.string()) }) });
    const ru05 = safetySample(
      'RU05',
      Command.extend({ workspaceFile: z.object({ allow: z.array(z.string()) }) }),
    ).input;
    const ru08 = safetySample('RU08', Command.extend({ codeWorkspace: settings })).input;
    const situations = [
      { command: ru05.command, allow: ru05.workspaceFile.allow },
      { command: ru08.command, allow: ru08.codeWorkspace.settings['agent.approval.allow'] },
    ];
    for (const { command, allow } of situations) {
      const files = { allow: [...allow, command] };
      const { action, asked } = await run(command, { files });
      assert.equal(action, 'ask');
      const place = { realPath: folder, name: '.' };
      assert.deepEqual(asked[0]?.offers, { remember: { rules: [command], folder: place, scopes: ['session'] } });
      const store = new RuleStore({
        userSettings: () => noRules,
        workspaceFiles: () => ({ ...noRules, ...files }),
        onInternalError: (error) => assert.fail(String(error)),
      });
      assert.deepEqual(
        store.list().map(({ text, effect, origin }) => [text, effect, origin]),
        files.allow.map((text) => [text, 'allow', 'workspaceFile']),
      );
      assert.deepEqual([store.rulesFor('s'), store.problems], [[], []]);
    }
  });

  it('does not offer to remember a command that cannot be checked', async () => {
    const { alwaysAllowClickedOn } = safetySample('RU12', z.object({ alwaysAllowClickedOn: z.string() })).input;
    const { action, asked } = await run(alwaysAllowClickedOn);
    assert.deepEqual([action, asked[0]?.offers], ['ask', undefined]);
  });

  it('refuses every command in plan mode, even commands that only read', async () => {
    const { command } = safetySample('RU24', Command).input;
    for (const refused of [command, 'git status', 'ls']) {
      assert.equal((await run(refused, { mode: 'plan' })).action, 'deny', refused);
    }
  });

  it('denies if nobody can be asked, and counts it', async () => {
    const { command } = safetySample('RU26', Command).input;
    const { asked } = await run(command);
    const approver = createTerminalApprover({ print: () => {} });
    const request = { ...(asked[0] ?? assert.fail('did not ask')), id: '1', sessionId: 's' };
    assert.equal((await approver.ask(request, { signal: new AbortController().signal })).action, 'deny');
    assert.equal(approver.unasked, 1);
  });

  it('asks in an embedded bare repository that would run a program', async () => {
    const { command } = safetySample('GE04', Command).input;
    const sub = path.join(folder, 'sub');
    await mkdir(sub);
    git(sub, 'init', '-q', '--bare');
    git(sub, '--git-dir=.', 'config', 'core.worktree', '.');
    git(sub, '--git-dir=.', 'config', 'core.bare', 'false');
    git(sub, '--git-dir=.', 'config', 'core.fsmonitor', `touch ${path.join(outer.path, 'p')}`);
    const { action } = await decide('run_terminal_command', { command, cwd: 'sub' });
    assert.deepEqual([action, existsSync(path.join(outer.path, 'p'))], ['ask', false]);
  });

  it('asks if the configuration includes another file', async () => {
    const { command, gitConfig } = safetySample('GE05', Command.extend({ gitConfig: z.string() })).input;
    const [key = '', file = ''] = gitConfig.split('=');
    const repository = path.join(folder, 'includes');
    await mkdir(repository);
    git(repository, 'init', '-q');
    const included = path.resolve(repository, '.git', file);
    await writeFile(included, `[core]\n\tfsmonitor = touch ${path.join(outer.path, 'p')}\n`);
    git(repository, 'config', key, file);
    const { action, asked } = await decide('run_terminal_command', { command, cwd: 'includes' });
    assert.deepEqual([action, existsSync(path.join(outer.path, 'p'))], ['ask', false]);
    assert.equal(asked[0]?.offers, undefined);
  });

  it('removes variables that point git elsewhere, and adds those that keep it harmless', async () => {
    const shape = Command.extend({ env: z.record(z.string(), z.string()) });
    const { command, env } = safetySample('GE06', shape).input;
    const environment = { ...process.env, ...env };
    const { action, plan } = await run(command, { environment });
    assert.equal(action, 'allow');
    assert.ok(plan?.kind === 'command');
    assert.equal(plan.environment?.['GIT_OPTIONAL_LOCKS'], '0');
    // The environment that a command really gets.
    const runner = createNodeCommandRunner({ environment });
    const { output } = await runner.run(
      { command: 'env', cwd: folder, timeoutMs: 60_000, environment: plan.environment },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.match(output, /^GIT_OPTIONAL_LOCKS=0$/m);
    for (const name of Object.keys(env)) assert.doesNotMatch(output, new RegExp(`^${name}=`, 'm'));
  });

  const Edit = z.object({ path: z.string() });

  it('asks about files of other agents even in accept-edits mode', async () => {
    const { path: file } = safetySample('ED02', Edit).input;
    const { action, asked } = await decide('write_file', { path: file, content: '{}' }, { mode: 'acceptEdits' });
    assert.deepEqual([action, asked[0]?.isSensitive, asked[0]?.offers], ['ask', true, undefined]);
  });

  it('asks about writing to the target of a move, and about the move', async () => {
    const { from, to } = safetySample('ED05', z.object({ from: z.string(), to: z.string() })).input;
    const { action, asked } = await decide('write_file', { path: to, content: '#!/bin/sh\n' }, { mode: 'acceptEdits' });
    assert.deepEqual([action, asked[0]?.isSensitive], ['ask', true]);
    assert.equal((await run(`mv ${from} ${to}`, { mode: 'acceptEdits' })).action, 'ask');
  });

  it('asks about text that makes an editor fetch something', async () => {
    const { path: file, content } = safetySample('ED09', Edit.extend({ content: z.string() })).input;
    const { action, asked } = await decide('write_file', { path: file, content }, { mode: 'acceptEdits' });
    assert.equal(action, 'ask');
    const summary = summarizeRequest({ ...(asked[0] ?? assert.fail()), id: '1', sessionId: 's' });
    assert.ok(summary.kind === 'edit');
    assert.match(summary.warnings?.join() ?? '', /schema at https:\/\/evil/);
  });

  it('asks about hidden characters, and names them on the card', async () => {
    const { path: file, newText } = safetySample('ED10', Edit.extend({ newText: z.string() })).input;
    const input = { path: file, old_text: 'let a = 1;', new_text: newText };
    const { action, asked } = await decide('apply_edit', input, { mode: 'acceptEdits' });
    assert.equal(action, 'ask');
    const summary = summarizeRequest({ ...(asked[0] ?? assert.fail()), id: '1', sessionId: 's' });
    assert.ok(summary.kind === 'edit');
    assert.match(summary.warnings?.join() ?? '', /characters that do not show: <\d+ hidden characters, first U\+E00/);
  });

  it('never uses a folder from the model as the boundary', async () => {
    const cwd = /cwd:"(.*)"/.exec(safetySample('PR14').input)?.[1] ?? assert.fail();
    const { action, asked } = await decide('run_terminal_command', { command: 'ls', cwd });
    assert.deepEqual([action, asked[0]?.isSensitive, asked[0]?.offers], ['ask', true, undefined]);
  });

  it('applies a deny rule inside a command that cannot be checked', async () => {
    for (const { id, input } of textSamples('shell-ask-posix')) {
      if (!/\btouch p\b/.test(input)) continue;
      const { action } = await run(input, { files: { deny: ['touch *'] } });
      // Words inside one quoted argument are not a call.
      assert.ok(action === 'deny' || action === 'ask', id);
    }
    assert.equal((await run(safetySample('SA01').input, { files: { deny: ['touch *'] } })).action, 'deny');
  });
});
