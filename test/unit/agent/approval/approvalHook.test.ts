import assert from 'node:assert/strict';
import type { ResolvedProgram } from '../../../../src/workspace/shell/resolveProgram';
import { createApprovalHook as createHook } from '../../../../src/agent/approval/approvalHook';
import type { ApprovalDecision, ApprovalAsk } from '../../../../src/agent/approval/approver';
import type { AssessCommand } from '../../../../src/agent/approval/commandAssessor';
import type { DecisionParts } from '../../../../src/agent/approval/decideCall';
import type { PermissionMode } from '../../../../src/agent/view/permissionModes';
import type { McpPlan } from '../../../../src/mcp/mcpPlan';
import type { ExtensionPlan } from '../../../../src/agent/extensionTools/extensionPlan';
import { parsePermissionRule, type PermissionRule } from '../../../../src/agent/approval/rules/permissionRules';
import type { PreToolUseEvent } from '../../../../src/sdk/hooks';
import type { CommandAssessment } from '../../../../src/workspace/shell/commandAssessment';
import type { CommandPlan, EditPlan, GuardedPath, ReadPlan, WorkspacePlan } from '../../../../src/workspace/plans';

const target: GuardedPath = {
  path: '/w/a.ts',
  realPath: '/w/a.ts',
  displayPath: 'a.ts',
  pathInRoot: 'a.ts',
  exists: true,
};
const read: ReadPlan = { kind: 'read', target, query: {} };
const edit: EditPlan = { kind: 'edit', operation: 'edit', target, before: 'one', after: 'two', proposed: 'two' };
const command: CommandPlan = { kind: 'command', command: 'npm test', cwd: target, timeoutMs: 1000 };

const untrusted =
  'This workspace is not trusted, so no tool may run in it. Answer from what is in the conversation. Tell the user ' +
  'that files can be read and changed after "Workspaces: Manage Workspace Trust" in VS Code.';
const stopped = 'The run was stopped before this was decided.';
const unapprovable = 'The plan of some_tool has an unknown form, so it cannot be approved.';

function event(plan: unknown, signal = new AbortController().signal): PreToolUseEvent {
  return { type: 'PreToolUse', toolName: 'some_tool', toolUseId: 'call1', input: {}, plan, signal };
}

/** A person who always gives the same answer, and what they were asked. */
function answering(decision: ApprovalDecision) {
  const asked: unknown[] = [];
  const ask: ApprovalAsk = (request) => {
    asked.push(request);
    return Promise.resolve(decision);
  };
  return { asked, ask };
}

/** The hook, and its decisions without `beforeRun`. */
function createApprovalHook(parts: DecisionParts): (event: PreToolUseEvent) => Promise<Record<string, unknown>> {
  const hook = createHook(parts);
  return async (asked) => {
    const { beforeRun: _check, ...decision } = { beforeRun: undefined, ...(await hook(asked)) };
    return decision;
  };
}

const nobody: ApprovalAsk = () => assert.fail('nobody may be asked');

describe('approval hook', () => {
  it('lets reading run without asking', async () => {
    const hook = createApprovalHook({ ask: nobody, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(read)), { action: 'allow' });
  });

  it('asks about every edit and every command, with the plan that will run', async () => {
    const { asked, ask } = answering({ action: 'allow' });
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(edit)), { action: 'allow' });
    assert.deepEqual(await hook(event(command)), { action: 'allow' });
    assert.deepEqual(asked, [
      { toolUseId: 'call1', toolName: 'some_tool', plan: edit, reason: 'Ask mode: edits need your approval' },
      { toolUseId: 'call1', toolName: 'some_tool', plan: command, reason: 'Commands always ask' },
    ]);
    assert.equal((asked[0] as { plan: unknown }).plan, edit);
  });

  it('asks about the call of a server, and not about one that is not as a person would be shown it', async () => {
    const plan: McpPlan = { kind: 'mcp', server: 's', tool: 'do', arguments: { a: 1 }, isReadOnly: false };
    const { asked, ask } = answering({ action: 'allow' });
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'acceptEdits' });
    assert.deepEqual(await hook(event(plan)), { action: 'allow' });
    assert.deepEqual(await hook(event({ ...plan, arguments: 'a' })), { action: 'deny', reason: unapprovable });
    assert.deepEqual(asked, [{ toolUseId: 'call1', toolName: 'some_tool', plan, reason: 'No rule allows this tool' }]);
    const edits = createApprovalHook({
      ask: answering({ action: 'allow', editedText: '{}' }).ask,
      isTrusted: () => true,
      mode: () => 'ask',
    });
    const reason = 'A call cannot be changed while it is approved.';
    assert.deepEqual(await edits(event(plan)), { action: 'deny', reason });
  });

  const decisions: readonly [string, EditPlan | CommandPlan, ApprovalDecision, unknown][] = [
    [
      'an edit changed by the person',
      edit,
      { action: 'allow', editedText: 'three' },
      { action: 'allow', plan: { ...edit, after: 'three' } },
    ],
    [
      'an edit emptied by the person',
      edit,
      { action: 'allow', editedText: '' },
      { action: 'allow', plan: { ...edit, after: '' } },
    ],
    [
      'a command that came back with another text',
      command,
      { action: 'allow', editedText: 'rm -rf .' },
      { action: 'deny', reason: 'A command cannot be changed while it is approved.' },
    ],
    ['a denial', edit, { action: 'deny' }, { action: 'deny', reason: 'The user said no.' }],
    [
      'a denial with a reason',
      command,
      { action: 'deny', reason: ' use pnpm ' },
      { action: 'deny', reason: 'use pnpm' },
    ],
    [
      'a question that was closed',
      edit,
      { action: 'cancelled' },
      { action: 'deny', reason: 'The question was closed before anybody answered it.' },
    ],
    [
      'an answer of another shape',
      edit,
      { action: 'yes' } as unknown as ApprovalDecision,
      { action: 'deny', reason: 'The answer to the question was not understood.' },
    ],
  ];
  for (const [name, plan, decision, expected] of decisions) {
    it(`turns ${name} into ${(expected as { action: string }).action}`, async () => {
      const hook = createApprovalHook({ ask: answering(decision).ask, isTrusted: () => true, mode: () => 'ask' });
      assert.deepEqual(await hook(event(plan)), expected);
    });
  }

  it("keeps the tool's proposal when the person changes the text", async () => {
    const { ask } = answering({ action: 'allow', editedText: 'three' });
    const decision = await createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' })(event(edit));
    assert.deepEqual((decision as { plan: EditPlan }).plan.proposed, 'two');
  });

  const foreign: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'edit'],
    ['an unknown kind', { kind: 'network', target }],
    ['an edit without a text', { ...edit, after: undefined }],
    ['a command that is no text', { ...command, command: ['rm'] }],
    ['a read without a path', { kind: 'read', target: {} }],
  ];
  for (const [name, plan] of foreign) {
    it(`denies a plan that is ${name}`, async () => {
      const hook = createApprovalHook({ ask: nobody, isTrusted: () => true, mode: () => 'ask' });
      assert.deepEqual(await hook(event(plan)), { action: 'deny', reason: unapprovable });
    });
  }

  for (const plan of [read, edit, command, undefined]) {
    it(`denies ${plan?.kind ?? 'an unknown plan'} in an untrusted workspace, and says why`, async () => {
      const hook = createApprovalHook({ ask: nobody, isTrusted: () => false, mode: () => 'ask' });
      assert.deepEqual(await hook(event(plan)), { action: 'deny', reason: untrusted });
    });
  }

  it('denies when asking fails', async () => {
    const ask: ApprovalAsk = () => Promise.reject(new Error('the window is gone'));
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' });
    const expected = { action: 'deny', reason: 'Nobody could be asked: the window is gone' };
    assert.deepEqual(await hook(event(edit)), expected);
  });

  it('denies when asking throws before it returns', async () => {
    const ask: ApprovalAsk = () => {
      throw new Error('not ready');
    };
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(edit)), { action: 'deny', reason: 'Nobody could be asked: not ready' });
  });

  it('denies without asking when the run was already stopped', async () => {
    const hook = createApprovalHook({ ask: nobody, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(read, AbortSignal.abort())), { action: 'deny', reason: stopped });
  });

  it('denies an allowed edit when the run was stopped while the person decided', async () => {
    const controller = new AbortController();
    const ask: ApprovalAsk = () => {
      controller.abort();
      return Promise.resolve({ action: 'allow' });
    };
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(edit, controller.signal)), { action: 'deny', reason: stopped });
  });

  it('denies an allowed edit when trust was taken away while the person decided', async () => {
    let isTrusted = true;
    const ask: ApprovalAsk = () => {
      isTrusted = false;
      return Promise.resolve({ action: 'allow' });
    };
    const hook = createApprovalHook({ ask, isTrusted: () => isTrusted, mode: () => 'ask' });
    assert.deepEqual(await hook(event(edit)), { action: 'deny', reason: untrusted });
  });

  it('denies an allowed edit when plan mode was chosen while the person decided', async () => {
    let mode: PermissionMode = 'ask';
    const ask: ApprovalAsk = () => {
      mode = 'plan';
      return Promise.resolve({ action: 'allow' });
    };
    const decision = await createApprovalHook({ ask, isTrusted: () => true, mode: () => mode })(event(edit));
    assert.match((decision as { reason: string }).reason, /^The session is in plan mode: edits are refused/);
  });

  it('lets an ordinary edit run unasked in the mode for that, and asks about a command', async () => {
    const { asked, ask } = answering({ action: 'deny' });
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'acceptEdits' });
    assert.deepEqual(await hook(event(edit)), { action: 'allow' });
    assert.deepEqual(await hook(event(command)), { action: 'deny', reason: 'The user said no.' });
    assert.equal(asked.length, 1);
  });

  it('asks before it reads a file that may hold secrets', async () => {
    const { asked, ask } = answering({ action: 'allow' });
    const secret = { ...read, target: { ...target, realPath: '/w/.env', displayPath: '.env', pathInRoot: '.env' } };
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' });
    assert.deepEqual(await hook(event(secret)), { action: 'allow' });
    assert.deepEqual(asked, [
      {
        toolUseId: 'call1',
        toolName: 'some_tool',
        plan: secret,
        reason: '.env may hold secrets, so reading it always asks',
        isSensitive: true,
      },
    ]);
  });

  it('hands on the signal that takes the question back', async () => {
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const ask: ApprovalAsk = (_request, { signal }) => {
      seen = signal;
      return Promise.resolve({ action: 'allow' });
    };
    await createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask' })(event(edit, controller.signal));
    assert.equal(seen, controller.signal);
  });

  describe('with the assessment of a command', () => {
    const assessment = (action: 'allow' | 'ask' | 'deny'): CommandAssessment => ({
      action,
      reason: 'Because',
      parts: [],
      programs: [],
      dangers: [],
      runsWorkspaceCode: false,
      remember: { ok: false },
      folder: target,
      environment: action === 'allow' ? { GIT_OPTIONAL_LOCKS: '0' } : {},
    });
    interface DecideOptions {
      readonly mode?: PermissionMode;
      readonly isTrusted?: () => boolean;
      readonly ask?: ApprovalAsk;
    }
    const decide = (
      assessCommand: AssessCommand,
      { mode = 'ask', isTrusted = () => true, ask = nobody }: DecideOptions = {},
    ) => createApprovalHook({ ask, isTrusted, mode: () => mode, assessCommand })(event(command));

    it('runs it unasked with the environment that keeps it harmless', async () => {
      assert.deepEqual(await decide(() => Promise.resolve(assessment('allow'))), {
        action: 'allow',
        plan: { ...command, environment: { GIT_OPTIONAL_LOCKS: '0' }, isReadOnly: true },
      });
    });

    it('no longer counts a command as reading that asks right before it runs', async () => {
      let action: 'allow' | 'ask' = 'allow';
      const hook = createHook({
        ask: () => Promise.resolve({ action: 'allow' }),
        isTrusted: () => true,
        mode: () => 'ask',
        assessCommand: () => Promise.resolve(assessment(action)),
      });
      const decision = await hook(event(command));
      assert.ok(decision?.action === 'allow' && decision.beforeRun);
      action = 'ask';
      const again = await decision.beforeRun();
      assert.ok(again.action === 'allow');
      assert.equal((again.plan as CommandPlan).isReadOnly, undefined);
    });

    it('refuses a call that a rule forbids without asking', async () => {
      assert.deepEqual(await decide(() => Promise.resolve(assessment('deny'))), {
        action: 'deny',
        reason: 'Because. Do not try it in another way; tell the user.',
      });
    });

    it('asks with the reason, and when it cannot be looked at', async () => {
      const { asked, ask } = answering({ action: 'allow' });
      assert.deepEqual(await decide(() => Promise.resolve(assessment('ask')), { ask }), { action: 'allow' });
      assert.deepEqual(await decide(() => Promise.reject(new Error('no grammar')), { ask }), { action: 'allow' });
      assert.deepEqual(
        asked.map((request) => (request as { reason: string }).reason),
        ['Because', 'It could not be analysed: no grammar'],
      );
    });

    it('runs nothing in plan mode, and does not even look without trust', async () => {
      const refused = await decide(() => Promise.resolve(assessment('allow')), { mode: 'plan' });
      assert.equal(refused?.action, 'deny');
      const untrustedAnswer = await decide(() => assert.fail('looked'), { isTrusted: () => false });
      assert.deepEqual(untrustedAnswer, { action: 'deny', reason: untrusted });
    });

    it('runs nothing when trust was taken away while it looked', async () => {
      let isTrusted = true;
      const answer = await decide(
        () => {
          isTrusted = false;
          return Promise.resolve(assessment('allow'));
        },
        { isTrusted: () => isTrusted },
      );
      assert.deepEqual(answer, { action: 'deny', reason: untrusted });
    });
  });

  describe('with more than yes', () => {
    const calls: readonly (readonly string[])[] = [['npm', 'test']];
    const asking: CommandAssessment = {
      action: 'ask',
      reason: 'No rule allows "npm test"',
      parts: [],
      programs: [{ kind: 'program', path: '/usr/bin/npm' }],
      dangers: [],
      runsWorkspaceCode: false,
      remember: { ok: true, calls },
      folder: target,
      environment: {},
    };
    function parts(decision: ApprovalDecision) {
      const { asked, ask } = answering(decision);
      const did: string[] = [];
      const hook = createApprovalHook({
        ask,
        isTrusted: () => true,
        mode: () => 'ask',
        assessCommand: () => Promise.resolve(asking),
        rules: {
          current: () => [],
          scopes: ['session'],
          allow: async ({ rules, folder }, scope) => void did.push(`${scope}: ${rules.join(', ')} in ${folder}`),
        },
        runEdits: { areAccepted: () => false, accept: () => void did.push('accept edits') },
        unseenEdits: { current: [], add: ({ target: { displayPath } }) => void did.push(`unseen ${displayPath}`) },
      });
      return { asked, did, hook };
    }

    it('remembers the call where that was offered', async () => {
      const { asked, did, hook } = parts({ action: 'allow', remember: 'session' });
      assert.deepEqual(await hook(event(command)), { action: 'allow' });
      assert.deepEqual(did, ['session: npm test in /w/a.ts']);
      assert.deepEqual(asked, [
        {
          toolUseId: 'call1',
          toolName: 'some_tool',
          plan: command,
          reason: 'No rule allows "npm test"',
          offers: {
            remember: { rules: ['npm test'], folder: { realPath: '/w/a.ts', name: 'a.ts' }, scopes: ['session'] },
          },
          programs: ['/usr/bin/npm'],
        },
      ]);
    });

    it('remembers nothing that was not offered, and nothing of a denial', async () => {
      const elsewhere = parts({ action: 'allow', remember: 'workspace', acceptsEdits: true });
      assert.deepEqual(await elsewhere.hook(event(command)), { action: 'allow' });
      const secret = { ...edit, target: { ...target, realPath: '/w/.env', displayPath: '.env' } };
      const sensitive = parts({ action: 'allow', remember: 'session', acceptsEdits: true });
      assert.deepEqual(await sensitive.hook(event(secret)), { action: 'allow' });
      const denied = parts({ action: 'deny', remember: 'session' } as ApprovalDecision);
      assert.equal((await denied.hook(event(command)))?.action, 'deny');
      assert.deepEqual([elsewhere.did, sensitive.did, denied.did], [[], [], []]);
    });

    it('accepts the edits of the run', async () => {
      const { did, hook } = parts({ action: 'allow', acceptsEdits: true });
      assert.deepEqual(await hook(event(edit)), { action: 'allow' });
      assert.deepEqual(did, ['accept edits']);
    });

    it('counts only an edit that nobody was asked about as unseen', async () => {
      const unseen: string[] = [];
      const decided = async (accepts: boolean, decision: ApprovalDecision) =>
        createApprovalHook({
          ask: answering(decision).ask,
          isTrusted: () => true,
          mode: () => 'ask',
          runEdits: { areAccepted: () => accepts, accept: () => {} },
          unseenEdits: { current: [], add: ({ target: { displayPath } }) => void unseen.push(displayPath) },
        })(event(edit));
      await decided(false, { action: 'allow' });
      assert.deepEqual(unseen, []);
      await decided(true, { action: 'deny' });
      assert.deepEqual(unseen, ['a.ts']);
    });

    it('runs nothing to assess a command where a rule, the mode or the kind of call decides', async () => {
      const tool = (effect: 'deny' | 'ask'): PermissionRule => ({
        kind: 'tool',
        effect,
        origin: 'user',
        toolName: event(command).toolName,
      });
      const rows: readonly (readonly [CommandPlan, PermissionMode, readonly PermissionRule[]])[] = [
        [command, 'ask', []],
        [command, 'acceptEdits', []],
        [command, 'plan', []],
        [command, 'ask', [tool('deny')]],
        [command, 'ask', [tool('ask')]],
        [{ ...command, isBackground: true }, 'ask', []],
        [{ ...command, inTerminal: true }, 'ask', []],
      ];
      const mayRun: unknown[] = [];
      for (const [plan, mode, current] of rows) {
        const hook = createApprovalHook({
          ask: answering({ action: 'deny' }).ask,
          isTrusted: () => true,
          mode: () => mode,
          assessCommand: (_plan, _rules, options) => {
            mayRun.push(options?.mayRun);
            return Promise.resolve(asking);
          },
          rules: { current: () => current, scopes: [], allow: () => assert.fail('allowed') },
        });
        await hook(event(plan));
      }
      assert.deepEqual(mayRun, [true, true, false, false, false, false, false]);
    });

    it('assesses the command by the current rules', async () => {
      const seen: unknown[] = [];
      const hook = createApprovalHook({
        ask: answering({ action: 'deny' }).ask,
        isTrusted: () => true,
        mode: () => 'ask',
        assessCommand: (_plan, rules) => {
          seen.push(rules);
          return Promise.resolve(asking);
        },
        rules: {
          current: () => [
            { kind: 'command', effect: 'allow', origin: 'user', argv: ['ls'], isOpenEnded: false },
            { kind: 'edit', effect: 'allow', origin: 'user', glob: 'docs' },
          ],
          scopes: [],
          allow: () => assert.fail('allowed'),
        },
      });
      await hook(event(command));
      assert.deepEqual(seen, [
        [{ kind: 'command', effect: 'allow', origin: 'user', argv: ['ls'], isOpenEnded: false }],
      ]);
    });
  });

  describe('with a rule that is added while its question is open', () => {
    const mcp: McpPlan = { kind: 'mcp', server: 's', tool: 'do', arguments: {}, isReadOnly: false };
    const extension: ExtensionPlan = { kind: 'extension', extension: 'a.b', tool: 'do', arguments: {} };
    const plans: readonly [PermissionRule['kind'], WorkspacePlan | McpPlan | ExtensionPlan][] = [
      ['command', command],
      ['edit', edit],
      ['tool', mcp],
      ['tool', extension],
    ];
    const ruleOf = (kind: PermissionRule['kind'], effect: 'deny' | 'ask'): PermissionRule => {
      const text = { command: 'npm *', edit: 'edit:**', tool: 'tool:*' }[kind];
      const parsed = parsePermissionRule(text, { effect, origin: 'user' });
      return parsed.ok ? parsed.rule : assert.fail(parsed.error);
    };
    /** Decides about a plan. Each answer allows; the first comes after the rule was added. */
    async function decideWhileAdding(kind: PermissionRule['kind'], plan: unknown, effect: 'deny' | 'ask') {
      const rules: PermissionRule[] = [];
      const reasons: string[] = [];
      const hook = createApprovalHook({
        ask: ({ reason }) => {
          reasons.push(reason);
          if (rules.length === 0) rules.push(ruleOf(kind, effect));
          return Promise.resolve({ action: 'allow', remember: 'session' });
        },
        isTrusted: () => true,
        mode: () => 'ask',
        // As `judgeCommand` judges.
        assessCommand: (_plan, [rule]) =>
          Promise.resolve({
            action: rule?.effect ?? 'ask',
            reason: rule ? `Because of ${rule.argv.join(' ')}` : 'It can change things',
            rule,
            parts: [],
            programs: [],
            dangers: [],
            runsWorkspaceCode: false,
            remember: rule ? { ok: false } : { ok: true, calls: [['npm', 'test']] },
            folder: target,
            environment: {},
          }),
        rules: { current: () => rules, scopes: ['session'], allow: () => assert.fail('remembered') },
      });
      return { decision: await hook(event(plan)), reasons };
    }

    for (const [kind, plan] of plans) {
      it(`does not run ${plan.kind === 'edit' ? 'an edit' : `a ${plan.kind} call`} that the rule forbids`, async () => {
        const { decision, reasons } = await decideWhileAdding(kind, plan, 'deny');
        assert.equal(decision['action'], 'deny');
        assert.equal(reasons.length, 1);
      });

      it(`asks about ${plan.kind === 'edit' ? 'an edit' : `a ${plan.kind} call`} again because of the rule`, async () => {
        const { decision, reasons } = await decideWhileAdding(kind, plan, 'ask');
        assert.equal(decision['action'], 'allow');
        assert.match(reasons[1] ?? '', /because of/i);
        assert.equal(reasons.length, 2);
      });
    }
  });

  it('asks again when the command would start another program than the question showed', async () => {
    const programs = ['/usr/bin/npm', '/w/npm', '/w/npm'];
    const shown: unknown[] = [];
    const hook = createApprovalHook({
      ask: ({ programs: named }) => {
        shown.push(named);
        return Promise.resolve({ action: 'allow' });
      },
      isTrusted: () => true,
      mode: () => 'ask',
      assessCommand: () =>
        Promise.resolve({
          action: 'ask',
          reason: 'It can change things',
          parts: [],
          programs: [{ kind: 'program', path: programs.shift() ?? assert.fail('looked once more') }],
          dangers: [],
          runsWorkspaceCode: false,
          remember: { ok: false },
          folder: target,
          environment: {},
        }),
    });
    programs.push('/w/npm');
    assert.deepEqual(await hook(event(command)), { action: 'allow' });
    assert.deepEqual(shown, [['/usr/bin/npm'], ['/w/npm']]);
  });

  it('says in a sentence why a program is not known, and asks again when it is another one then', async () => {
    const found: ResolvedProgram[] = [
      { kind: 'unsafe', reason: '`sudo` is in no folder of PATH' },
      { kind: 'unsafe', reason: '`sudo` would start /w/sudo, which is in the workspace' },
    ];
    const shown: unknown[] = [];
    const hook = createApprovalHook({
      ask: ({ programs, unknownPrograms }) => {
        shown.push({ programs, unknownPrograms });
        return Promise.resolve({ action: 'allow' });
      },
      isTrusted: () => true,
      mode: () => 'ask',
      assessCommand: () =>
        Promise.resolve({
          action: 'ask',
          reason: 'It can change things',
          parts: [],
          programs: [
            { kind: 'builtin' },
            (found.length > 1 ? found.shift() : found[0]) ?? assert.fail('looked once more'),
          ],
          dangers: [],
          runsWorkspaceCode: false,
          remember: { ok: false },
          folder: target,
          environment: {},
        }),
    });
    assert.deepEqual(await hook(event(command)), { action: 'allow' });
    const programs = ['part of the shell'];
    assert.deepEqual(shown, [
      { programs, unknownPrograms: ['`sudo` is in no folder of PATH.'] },
      { programs, unknownPrograms: ['`sudo` would start /w/sudo, which is in the workspace.'] },
    ]);
  });

  it('grants the reading of a file for edits once a person allowed it, and for nothing that shows less', async () => {
    const secret = { ...target, path: '/w/.env', realPath: '/w/.env', displayPath: '.env', pathInRoot: '.env' };
    const granted: string[] = [];
    const { ask } = answering({ action: 'allow' });
    const runReads = { allowed: () => granted, allow: (realPath: string) => void granted.push(realPath) };
    const hook = createApprovalHook({ ask, isTrusted: () => true, mode: () => 'ask', runReads });
    const reading: ReadPlan = { kind: 'read', target: secret, query: {} };
    await hook({ ...event(reading), toolName: 'search_text' });
    await hook({ ...event(read), toolName: 'read_file' });
    assert.deepEqual(granted, []);
    await hook({ ...event(reading), toolName: 'read_file' });
    assert.deepEqual(granted, ['/w/.env']);
    const silent = createApprovalHook({ ask: nobody, isTrusted: () => true, mode: () => 'ask', runReads });
    assert.deepEqual(await silent(event({ ...reading, isFor: 'edit' })), { action: 'allow' });
  });

  describe('right before the call runs', () => {
    async function decideTwice(
      change: (state: { mode: PermissionMode; rules: PermissionRule[] }) => void,
      start: PermissionMode,
    ) {
      const state: { mode: PermissionMode; rules: PermissionRule[] } = { mode: start, rules: [] };
      const { asked, ask } = answering({ action: 'allow' });
      const hook = createHook({
        ask,
        isTrusted: () => true,
        mode: () => state.mode,
        rules: { current: () => state.rules, scopes: [], allow: () => assert.fail('remembered') },
      });
      const decision = await hook(event(edit));
      assert.ok(decision?.action === 'allow' && decision.beforeRun);
      change(state);
      const again = await decision.beforeRun();
      return [again.action, asked.length];
    }
    const forbidding: PermissionRule = { kind: 'edit', effect: 'deny', origin: 'user', glob: '**' };
    const asking: PermissionRule = { kind: 'edit', effect: 'ask', origin: 'user', glob: '**' };

    it('runs a command with the files that its patterns match then, or as a person read it', async () => {
      const known = {
        reason: 'Because',
        parts: [],
        programs: [],
        dangers: [],
        runsWorkspaceCode: false,
        remember: { ok: false },
      } as const;
      const rest = { ...known, folder: target, environment: {} };
      const first: CommandAssessment = { ...rest, action: 'allow', expanded: 'ls a.ts' };
      const later: CommandAssessment[] = [
        { ...rest, action: 'allow', expanded: 'ls a.ts b.ts' },
        { ...rest, action: 'ask' },
      ];
      let current = first;
      const { asked, ask } = answering({ action: 'allow' });
      const assessCommand = (): Promise<CommandAssessment> => Promise.resolve(current);
      const hook = createHook({ ask, isTrusted: () => true, mode: () => 'ask', assessCommand });
      const run: unknown[] = [];
      for (const next of later) {
        current = first;
        const decision = await hook(event({ ...command, command: 'ls *.ts' }));
        assert.ok(decision?.action === 'allow' && decision.beforeRun);
        current = next;
        const again = await decision.beforeRun();
        run.push(again.action === 'allow' && (again.plan as CommandPlan).expanded);
      }
      assert.deepEqual([run, asked.length], [['ls a.ts b.ts', undefined], 1]);
    });

    it('allows what a person allowed, and what still runs unasked', async () => {
      assert.deepEqual(await decideTwice(() => {}, 'ask'), ['allow', 1]);
      assert.deepEqual(await decideTwice(() => {}, 'acceptEdits'), ['allow', 0]);
    });

    it('refuses what a rule or the mode forbids by now', async () => {
      for (const mode of ['ask', 'acceptEdits'] as const) {
        const asks = mode === 'ask' ? 1 : 0;
        assert.deepEqual(await decideTwice(({ rules }) => rules.push(forbidding), mode), ['deny', asks]);
        assert.deepEqual(await decideTwice((state) => (state.mode = 'plan'), mode), ['deny', asks]);
      }
    });

    it('asks what asks by now, and not a second time what a person allowed', async () => {
      assert.deepEqual(await decideTwice(({ rules }) => rules.push(asking), 'ask'), ['allow', 2]);
      assert.deepEqual(await decideTwice(({ rules }) => rules.push(asking), 'acceptEdits'), ['allow', 1]);
      assert.deepEqual(await decideTwice((state) => (state.mode = 'ask'), 'acceptEdits'), ['allow', 1]);
    });
  });
});
