import assert from 'node:assert/strict';
import { decidePermission, type PermissionQuestion, type Verdict } from '../../../../src/agent/approval/permissions';
import { type PermissionMode } from '../../../../src/agent/view/permissionModes';
import { parsePermissionRule, type PermissionRule } from '../../../../src/agent/approval/rules/permissionRules';
import type { ApprovablePlan } from '../../../../src/agent/approval/approvablePlan';
import type { ExtensionPlan } from '../../../../src/agent/extensionTools/extensionPlan';
import type { McpPlan } from '../../../../src/mcp/mcpPlan';
import type { CommandPlan, EditPlan, GuardedPath, WorkspacePlan } from '../../../../src/workspace/plans';
import type { Confinement } from '../../../../src/workspace/ports';
import type { CommandDanger } from '../../../../src/workspace/shell/dangers/findDangers';
import type { RuleEffect, RuleOrigin } from '../../../../src/workspace/shell/commandRules';

function target(displayPath: string, pathInRoot: string | null = displayPath === '.' ? '' : displayPath): GuardedPath {
  const realPath = pathInRoot === null ? displayPath : `/home/ada/.claude/w/${pathInRoot}`;
  return { path: `/home/ada/.claude/w/${displayPath}`, realPath, displayPath, pathInRoot, exists: true };
}

const read = (path: string, pathInRoot?: string | null): WorkspacePlan => ({
  kind: 'read',
  target: target(path, pathInRoot),
  query: {},
});
const edit = (path: string, operation: EditPlan['operation'] = 'edit', pathInRoot?: string | null): EditPlan => ({
  kind: 'edit',
  operation,
  target: target(path, pathInRoot),
  before: 'a',
  after: 'b',
  proposed: 'b',
});
const near = (plan: WorkspacePlan): WorkspacePlan => (plan.kind === 'edit' ? { ...plan, match: 'near' } : plan);
const command: CommandPlan = { kind: 'command', command: 'npm test', cwd: target('.'), timeoutMs: 1 };

const serverTool: McpPlan = {
  kind: 'mcp',
  server: 's',
  tool: 'read-file',
  arguments: { path: '/etc' },
  isReadOnly: false,
};

const extensionTool: ExtensionPlan = { kind: 'extension', extension: 'a.b', tool: 'do', arguments: { path: '/etc' } };

const decide = (plan: ApprovablePlan, mode: PermissionMode, isTrusted = true): Verdict =>
  decidePermission({ toolName: 'some_tool', plan, mode, isTrusted });

type Outcome = `${Verdict['action']} ${Verdict['origin']}`;
const outcome = (verdict: Verdict): Outcome => `${verdict.action} ${verdict.origin}`;

const table: readonly [string, ApprovablePlan, Readonly<Record<Exclude<PermissionMode, 'sandbox'>, Outcome>>][] = [
  ['a tool of a server', serverTool, { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'ask mode' }],
  ['a tool of another extension', extensionTool, { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'ask mode' }],
  ['reading', read('src/a.ts'), { plan: 'allow reading', ask: 'allow reading', acceptEdits: 'allow reading' }],
  ['listing the folder', read('.'), { plan: 'allow reading', ask: 'allow reading', acceptEdits: 'allow reading' }],
  ['reading secrets', read('.env'), { plan: 'ask protected', ask: 'ask protected', acceptEdits: 'ask protected' }],
  ['an edit', edit('src/a.ts'), { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'allow mode' }],
  ['a new file', edit('src/b.ts', 'create'), { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'allow mode' }],
  ['a whole file', edit('src/a.ts', 'overwrite'), { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'ask mode' }],
  [
    'an edit of a place that is only like the quoted one',
    near(edit('src/a.ts')),
    { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'ask mode' },
  ],
  ['a manifest', edit('package.json'), { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' }],
  [
    "git's own file",
    edit('a/.git/config', 'create'),
    { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'a link that leads to a protected file',
    edit('notes.txt', 'edit', '.vscode/tasks.json'),
    { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'reading a link that leads to secrets',
    read('notes.txt', '.env'),
    { plan: 'ask protected', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'reading outside of the workspace',
    read('/etc/hosts', null),
    { plan: 'ask protected', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'an edit outside of the workspace',
    edit('/etc/hosts', 'edit', null),
    { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'an edit with hidden characters',
    { ...edit('src/a.ts'), after: 'b\u200B' },
    { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  [
    'a file with a schema elsewhere',
    { ...edit('x.json', 'create'), before: null, after: '{"$schema":"https://example.com/"}' },
    { plan: 'deny mode', ask: 'ask protected', acceptEdits: 'ask protected' },
  ],
  ['a command', command, { plan: 'deny mode', ask: 'ask mode', acceptEdits: 'ask mode' }],
];

describe('decidePermission', () => {
  for (const [name, plan, expected] of table) {
    for (const mode of ['plan', 'ask', 'acceptEdits'] as const) {
      it(`answers ${expected[mode]} to ${name} in mode ${mode}`, () => {
        assert.equal(outcome(decide(plan, mode)), expected[mode]);
        assert.equal(outcome(decide(plan, mode, false)), 'deny trust');
      });
    }
  }

  const sandbox: Confinement = { allowsNetwork: false, writable: ['/home/ada/.claude/w'], isSandbox: true };
  for (const [name, plan, expected] of table) {
    it(`answers to ${name} in the sandbox as with accepted edits, and as in mode ask where it does not work`, () => {
      const inSandbox = { toolName: 'some_tool', plan, mode: 'sandbox', isTrusted: true } as const;
      assert.equal(outcome(decidePermission({ ...inSandbox, sandbox })), expected.acceptEdits);
      assert.equal(outcome(decidePermission(inSandbox)), expected.ask);
      const networked = { allowsNetwork: true, writable: [] };
      assert.equal(outcome(decidePermission({ ...inSandbox, sandbox: networked })), expected.ask);
      assert.equal(outcome(decidePermission({ ...inSandbox, sandbox, isTrusted: false })), 'deny trust');
      for (const mode of ['plan', 'ask', 'acceptEdits'] as const) {
        assert.equal(outcome(decidePermission({ ...inSandbox, mode, sandbox })), expected[mode]);
      }
    });
  }

  describe('in the sandbox, about a command', () => {
    const assessed = {
      action: 'ask',
      reason: 'Asks because it can change things.',
      environment: {},
      runsWorkspaceCode: false,
      remember: { ok: false },
      folder: target('.'),
      dangers: [],
      parts: [],
    } as const;
    const judge = (question: Partial<PermissionQuestion>): Verdict =>
      decidePermission({
        toolName: 'run_terminal_command',
        plan: command,
        mode: 'sandbox',
        isTrusted: true,
        command: assessed,
        sandbox,
        ...question,
      });
    const rule = (text: string, effect: RuleEffect): PermissionRule => {
      const parsed = parsePermissionRule(text, { effect, origin: 'user' });
      assert.ok(parsed.ok);
      return parsed.rule;
    };

    it('runs it with the confinement of the sandbox', () => {
      assert.deepEqual(judge({}), { action: 'allow', origin: 'mode', confinement: sandbox });
    });

    it('runs an allowed one there after edits that nobody has seen', () => {
      const allowed = { ...assessed, action: 'allow', runsWorkspaceCode: true } as const;
      assert.deepEqual(judge({ command: allowed, unseenEdits: ['a.ts'] }), judge({}));
      assert.deepEqual(outcome(judge({ command: allowed })), 'allow command');
    });

    const danger = { kind: 'deletes', words: ['rm'], text: 'It deletes.' } as unknown as CommandDanger;
    const git = { argv: ['git', 'add', '.'], isNamePlain: true, action: 'ask', reason: '' } as const;
    const asking: readonly [string, Partial<PermissionQuestion>][] = [
      ['that was not assessed', { command: undefined }],
      ['whose assessment failed', { command: { ...assessed, hasFailed: true } }],
      ['with a danger', { command: { ...assessed, dangers: [danger] } }],
      ['that changes the repository', { command: { ...assessed, parts: [git] } }],
      ['in the background', { plan: { ...command, isBackground: true } }],
      ['in the terminal', { plan: { ...command, inTerminal: true } }],
      ['outside', { plan: { ...command, cwd: target('/', null) } }],
      ['that a rule asks about', { rules: [rule('tool:run_terminal_command', 'ask')] }],
      ['where the sandbox does not work', { sandbox: undefined }],
    ];
    for (const [name, question] of asking) {
      it(`asks about one ${name}`, () => assert.equal(judge(question).action, 'ask'));
    }

    it('refuses one that a rule forbids', () => {
      assert.equal(judge({ rules: [rule('tool:run_terminal_command', 'deny')] }).action, 'deny');
      assert.equal(judge({ command: { ...assessed, action: 'deny' } }).action, 'deny');
    });
  });

  it('tells people why they are asked', () => {
    const reasons = [edit('a.ts'), edit('package.json'), edit('.git/config'), edit('a.ts', 'overwrite'), command]
      .map((plan) => decide(plan, plan.kind === 'edit' && plan.operation === 'overwrite' ? 'acceptEdits' : 'ask'))
      .map((verdict) => verdict.action === 'ask' && verdict.reason);
    assert.deepEqual(reasons, [
      'Ask mode: edits need your approval',
      'package.json decides what is built, tested or run, so changing it asks in every mode',
      '.git/config can run programs or hold secrets, so changing it always asks',
      'Replacing a whole file always asks',
      'Commands always ask',
    ]);
  });

  it('tells the model in plan mode to describe the plan', () => {
    const verdict = decide(command, 'plan');
    assert.match(verdict.action === 'deny' ? verdict.forModel : '', /plan mode: commands are refused.*describe/);
  });

  it('does not depend on where the workspace folder is', () => {
    assert.equal(outcome(decide(edit('src/a.ts'), 'acceptEdits')), 'allow mode');
  });

  it('asks about a command in a folder outside, even one that is known to only read', () => {
    const outside: WorkspacePlan = { kind: 'command', command: 'ls', cwd: target('/', null), timeoutMs: 1 };
    const known = { action: 'allow', reason: '"ls" only reads', environment: {}, runsWorkspaceCode: false } as const;
    const remember = { ok: true, calls: [] } as const;
    const folder = outside.cwd;
    const question = { toolName: 'run_terminal_command', plan: outside, mode: 'ask', isTrusted: true } as const;
    assert.deepEqual(decidePermission({ ...question, command: { ...known, remember, folder } }), {
      action: 'ask',
      origin: 'protected',
      reason: '/ is outside the workspace, so running a command there always asks',
      isSensitive: true,
    });
  });

  it('names the file that a link leads to', () => {
    const verdict = decide(read('notes.txt', '.env'), 'ask');
    assert.equal(
      verdict.action === 'ask' && verdict.reason,
      'notes.txt, which is .env, may hold secrets, so reading it always asks',
    );
  });

  describe('with rules', () => {
    const rule = (text: string, effect: RuleEffect, origin: RuleOrigin = 'user'): PermissionRule => {
      const parsed = parsePermissionRule(text, { effect, origin });
      return parsed.ok ? parsed.rule : assert.fail(parsed.error);
    };
    const decideBy = (plan: WorkspacePlan, rules: readonly PermissionRule[], more: Partial<PermissionQuestion> = {}) =>
      decidePermission({ toolName: 'apply_edit', plan, mode: 'ask', isTrusted: true, rules, ...more });

    it('lets deny beat ask and ask beat allow; a more specific rule beats nothing', () => {
      const allow = rule('edit:/src/a.ts', 'allow', 'session');
      const ask = rule('edit:src/**', 'ask', 'workspaceFile');
      const deny = rule('edit:**', 'deny');
      assert.equal(outcome(decideBy(edit('src/a.ts'), [allow])), 'allow rule');
      assert.equal(outcome(decideBy(edit('src/a.ts'), [allow, ask], { mode: 'acceptEdits' })), 'ask rule');
      assert.equal(outcome(decideBy(edit('src/a.ts'), [allow, ask, deny], { mode: 'acceptEdits' })), 'deny rule');
      assert.equal(outcome(decideBy(edit('src/a.ts'), [deny], { acceptsEdits: true })), 'deny rule');
    });

    it('says which rule it was and where it comes from', () => {
      const asked = decideBy(edit('src/a.ts'), [rule('edit:src/**', 'ask', 'workspaceFile')]);
      assert.deepEqual(asked, {
        action: 'ask',
        origin: 'rule',
        reason: 'Asks because of the rule "edit:src/**" from a file of this workspace.',
      });
    });

    it('lets no rule allow a protected file, a whole file, or anything in plan mode or without trust', () => {
      const all = [
        rule('edit:**', 'allow'),
        rule('edit:**', 'allow', 'workspace'),
        rule('edit:**', 'allow', 'session'),
      ];
      assert.equal(outcome(decideBy(edit('.git/config'), all)), 'ask protected');
      assert.equal(outcome(decideBy(edit('package.json'), all)), 'ask protected');
      assert.equal(outcome(decideBy(edit('src/a.ts', 'overwrite'), all)), 'ask mode');
      assert.equal(outcome(decideBy(edit('src/a.ts'), all, { mode: 'plan' })), 'deny mode');
      assert.equal(outcome(decideBy(edit('src/a.ts'), all, { isTrusted: false })), 'deny trust');
    });

    it('forbids and asks about tools, reading included', () => {
      const of = (effect: RuleEffect) =>
        outcome(decideBy(read('src/a.ts'), [rule('tool:read_file', effect)], { toolName: 'read_file' }));
      assert.deepEqual([of('deny'), of('ask')], ['deny rule', 'ask rule']);
      assert.equal(
        outcome(decideBy(read('src/a.ts'), [rule('tool:read_file', 'deny')], { toolName: 'x' })),
        'allow reading',
      );
    });

    it('keeps a protected file sensitive whichever way it asks', () => {
      const asked = decideBy(edit('.git/config'), [rule('edit:**', 'ask')]);
      assert.deepEqual([asked.action === 'ask' && asked.isSensitive, outcome(asked)], [true, 'ask rule']);
    });

    it('offers to allow a build file for the session only, and accepts no other rule for it', () => {
      const asked = decideBy(edit('package.json'), []);
      assert.deepEqual(asked.action === 'ask' && asked.offers, {
        remember: { rules: ['edit:/package.json'], scopes: ['session'] },
      });
      assert.equal(
        outcome(decideBy(edit('package.json'), [rule('edit:/package.json', 'allow', 'session')])),
        'allow rule',
      );
      assert.equal(
        outcome(decideBy(edit('package.json'), [rule('edit:/package.json', 'allow', 'workspace')])),
        'ask protected',
      );
      const dangerous = decideBy(edit('.vscode/tasks.json'), [rule('edit:/.vscode/tasks.json', 'allow', 'session')]);
      assert.deepEqual(
        [outcome(dangerous), dangerous.action === 'ask' && dangerous.isSensitive, 'offers' in dangerous],
        ['ask protected', true, false],
      );
    });
  });

  describe('about reading to plan an edit', () => {
    const reading = (path: string, pathInRoot: string | null = path): WorkspacePlan => ({
      kind: 'read',
      target: target(path, pathInRoot),
      isFor: 'edit',
      query: {},
    });
    const question = (plan: WorkspacePlan, more: Partial<PermissionQuestion> = {}) =>
      outcome(decidePermission({ toolName: 'apply_edit', plan, mode: 'acceptEdits', isTrusted: true, ...more }));
    const rule = (text: string, effect: 'deny' | 'ask'): PermissionRule => {
      const parsed = parsePermissionRule(text, { effect, origin: 'user' });
      return parsed.ok ? parsed.rule : assert.fail(parsed.error);
    };

    it('asks about secrets and paths outside, in every mode', () => {
      for (const plan of [reading('.env'), reading('/out/a.txt', null)]) {
        assert.deepEqual(
          [question(plan), question(plan, { mode: 'ask' }), question(plan, { acceptsEdits: true })],
          ['ask protected', 'ask protected', 'ask protected'],
        );
      }
    });

    it('refuses what refuses the edit, before anything is read', () => {
      assert.equal(question(reading('.env'), { mode: 'plan' }), 'deny mode');
      assert.equal(question(reading('.env'), { isTrusted: false }), 'deny trust');
      for (const text of ['edit:.env', 'tool:apply_edit']) {
        assert.equal(question(reading('.env'), { rules: [rule(text, 'deny')] }), 'deny rule');
      }
    });

    it('leaves the question of a rule to the edit itself', () => {
      const rules = [rule('edit:.env', 'ask')];
      assert.equal(question(reading('.env'), { rules }), 'ask protected');
      assert.equal(question(reading('.env'), { rules, readFiles: [target('.env').realPath] }), 'allow reading');
    });

    it('does not ask again for a file that a person allowed to read in this run', () => {
      const readFiles = [target('.env').realPath];
      assert.equal(question(reading('.env'), { readFiles }), 'allow reading');
      assert.equal(question(reading('sub/.env'), { readFiles }), 'ask protected');
      assert.equal(question(edit('.env'), { readFiles }), 'ask protected');
      assert.equal(question({ kind: 'read', target: target('.env'), query: {} }, { readFiles }), 'ask protected');
    });
  });

  describe('with a run whose edits are accepted', () => {
    const accepted = (plan: WorkspacePlan, mode: PermissionMode = 'ask') =>
      outcome(decidePermission({ toolName: 'apply_edit', plan, mode, isTrusted: true, acceptsEdits: true }));

    it('makes ordinary edits and nothing else', () => {
      assert.equal(accepted(edit('src/a.ts')), 'allow mode');
      assert.equal(accepted(edit('src/a.ts', 'overwrite')), 'ask mode');
      assert.equal(accepted({ ...edit('src/a.ts'), match: 'near' }), 'ask mode');
      assert.equal(accepted(edit('package.json')), 'ask protected');
      assert.equal(accepted(command), 'ask mode');
      assert.equal(accepted(edit('src/a.ts'), 'plan'), 'deny mode');
    });

    it('is offered where an ordinary edit asks because of the mode', () => {
      const offers = (plan: WorkspacePlan) => {
        const verdict = decide(plan, 'ask');
        return verdict.action === 'ask' ? verdict.offers : undefined;
      };
      assert.deepEqual(
        [offers(edit('src/a.ts')), offers(edit('.env')), offers(edit('src/a.ts', 'overwrite'))],
        [{ acceptsEdits: true }, undefined, undefined],
      );
    });
  });

  describe('about commands that are known', () => {
    const known = (changes: Partial<NonNullable<PermissionQuestion['command']>> = {}): PermissionQuestion => ({
      toolName: 'run_terminal_command',
      plan: command,
      mode: 'ask',
      isTrusted: true,
      command: {
        action: 'allow',
        reason: 'Allowed by the rule "npm test" from your settings',
        environment: {},
        runsWorkspaceCode: true,
        remember: { ok: false },
        folder: target('packages/a'),
        ...changes,
      },
    });

    it('asks again after edits that nobody has seen, and says why', () => {
      assert.equal(outcome(decidePermission(known())), 'allow command');
      assert.deepEqual(decidePermission({ ...known(), unseenEdits: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] }), {
        action: 'ask',
        origin: 'unseen',
        reason:
          'Allowed by the rule "npm test" from your settings, but it runs code of the workspace, and you have not seen ' +
          'what the agent changed in a.ts, b.ts, c.ts and 1 more. Review the changes, and it no longer asks',
      });
    });

    it('still runs commands that only read', () => {
      const reading = known({ runsWorkspaceCode: false });
      assert.equal(outcome(decidePermission({ ...reading, unseenEdits: ['a.ts'] })), 'allow command');
    });

    it('allows nothing in a terminal, and confined commands also after unseen edits', () => {
      const inTerminal = { ...command, inTerminal: true } as const;
      assert.equal(outcome(decidePermission({ ...known(), plan: inTerminal })), 'ask mode');
      const confined = { ...command, confinement: { allowsNetwork: false, writable: ['/w'] } } as const;
      assert.equal(outcome(decidePermission({ ...known(), plan: confined, unseenEdits: ['a.ts'] })), 'allow command');
    });

    it('always asks about background commands, and offers nothing', () => {
      const inBackground = { ...command, isBackground: true } as const;
      for (const runsWorkspaceCode of [true, false]) {
        const verdict = decidePermission({ ...known({ runsWorkspaceCode }), plan: inBackground });
        assert.deepEqual(verdict, {
          action: 'ask',
          origin: 'mode',
          reason: 'Background commands always ask',
        });
      }
      const asking = known({ action: 'ask', remember: { ok: true, calls: [['npm', 'test']] } });
      const verdict = decidePermission({ ...asking, plan: inBackground });
      assert.deepEqual([verdict.action, 'offers' in verdict], ['ask', false]);
    });

    it('offers to remember exactly the command that asked', () => {
      const asking = known({
        action: 'ask',
        reason: 'No rule',
        remember: {
          ok: true,
          calls: [
            ['npm', 'test'],
            ['echo', 'a b'],
          ],
        },
      });
      const verdict = decidePermission(asking);
      assert.deepEqual(verdict.action === 'ask' && verdict.offers, {
        remember: {
          rules: ['npm test', "echo 'a b'"],
          folder: { realPath: target('packages/a').realPath, name: 'packages/a' },
          scopes: ['session', 'workspace'],
        },
      });
    });

    it('offers nothing in a terminal, where it would ask again', () => {
      const asking = known({ action: 'ask', remember: { ok: true, calls: [['npm', 'test']] } });
      const verdict = decidePermission({ ...asking, plan: { ...command, inTerminal: true } });
      assert.deepEqual([verdict.action, 'offers' in verdict], ['ask', false]);
    });

    it('offers nothing that a text of a rule would change', () => {
      for (const argv of [['rm', '*'], ['edit:x'], ['tool:y', 'z'], []]) {
        const verdict = decidePermission(known({ action: 'ask', remember: { ok: true, calls: [argv] } }));
        const offered = verdict.action === 'ask' ? verdict.offers?.remember?.rules : undefined;
        const isQuoted = argv[0] === 'rm' && offered?.[0] === "rm '*'";
        assert.ok(offered === undefined || isQuoted, JSON.stringify(offered));
      }
    });
  });

  describe('about an edit of several files', () => {
    const edits = (...all: readonly EditPlan[]): ApprovablePlan => ({
      kind: 'edits',
      title: 'Rename a to b',
      edits: all,
    });
    const modes = ['plan', 'ask', 'acceptEdits'] as const;
    const singles = table.flatMap(([name, plan]) => (plan.kind === 'edit' ? [[name, plan] as const] : []));
    const weight = ['allow', 'ask', 'deny'];

    for (const mode of modes) {
      it(`answers as strictly as to the strictest of its files in mode ${mode}`, () => {
        for (const [name, first] of singles) {
          for (const [other, second] of singles) {
            const alone = [first, second].map((plan) => decide(plan, mode));
            const together = decide(edits(first, second), mode);
            const strictest = alone
              .map(({ action }) => action)
              .toSorted((a, b) => weight.indexOf(b) - weight.indexOf(a));
            assert.equal(together.action, strictest[0], `${name} and ${other}`);
            const isSensitive = alone.some((verdict) => verdict.action === 'ask' && verdict.isSensitive);
            if (together.action === 'ask')
              assert.equal(together.isSensitive ?? false, isSensitive, `${name}, ${other}`);
          }
        }
      });
    }

    it('offers to accept the edits of the run only if all of its files are ordinary', () => {
      const ordinary = decide(edits(edit('src/a.ts'), edit('src/b.ts')), 'ask');
      assert.deepEqual(ordinary.action === 'ask' && ordinary.offers, { acceptsEdits: true });
      for (const other of ['package.json', '.vscode/settings.json']) {
        const mixed = decide(edits(edit('src/a.ts'), edit(other)), 'ask');
        assert.equal(mixed.action, 'ask');
        assert.equal(mixed.action === 'ask' && mixed.offers, undefined);
        assert.match(mixed.action === 'ask' ? mixed.reason : '', new RegExp(other.replace('.', '\\.')));
      }
    });

    it('is refused without files, and where a rule forbids one of them', () => {
      assert.equal(decide(edits(), 'acceptEdits').action, 'deny');
      const parsed = parsePermissionRule('edit:src/b.ts', { effect: 'deny', origin: 'user' });
      assert.ok(parsed.ok);
      const question = { toolName: 'find_symbol', mode: 'acceptEdits', isTrusted: true, rules: [parsed.rule] } as const;
      const plan = edits(edit('src/a.ts'), edit('src/b.ts'));
      assert.equal(outcome(decidePermission({ ...question, plan })), 'deny rule');
      assert.equal(outcome(decidePermission({ ...question, plan: edits(edit('src/a.ts')) })), 'allow mode');
    });
  });
});
