import assert from 'node:assert/strict';
import { decidePermission, type PermissionMode, type Verdict } from '../../../../src/agent/approval/permissions';
import type { EditPlan, GuardedPath, WorkspacePlan } from '../../../../src/workspace/plans';

function target(displayPath: string, realPath = `/w/${displayPath}`): GuardedPath {
  return { path: `/w/${displayPath}`, realPath, displayPath, exists: true };
}

const read = (path: string): WorkspacePlan => ({ kind: 'read', target: target(path), query: {} });
const edit = (path: string, operation: EditPlan['operation'] = 'edit', realPath?: string): WorkspacePlan => ({
  kind: 'edit',
  operation,
  target: target(path, realPath),
  before: 'a',
  after: 'b',
  proposed: 'b',
});
const near = (plan: WorkspacePlan): WorkspacePlan => (plan.kind === 'edit' ? { ...plan, match: 'near' } : plan);
const command: WorkspacePlan = { kind: 'command', command: 'npm test', cwd: target('.'), timeoutMs: 1 };

const decide = (plan: WorkspacePlan, mode: PermissionMode, isTrusted = true): Verdict =>
  decidePermission({ plan, mode, isTrusted });

type Outcome = `${Verdict['action']} ${Verdict['origin']}`;
const outcome = (verdict: Verdict): Outcome => `${verdict.action} ${verdict.origin}`;

const table: readonly [string, WorkspacePlan, Readonly<Record<PermissionMode, Outcome>>][] = [
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
    edit('notes.txt', 'edit', '/w/.vscode/tasks.json'),
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

  it('tells people why they are asked', () => {
    const reasons = [edit('a.ts'), edit('package.json'), edit('.git/config'), edit('a.ts', 'overwrite'), command]
      .map((plan) => decide(plan, plan.kind === 'edit' && plan.operation === 'overwrite' ? 'acceptEdits' : 'ask'))
      .map((verdict) => verdict.action === 'ask' && verdict.reason);
    assert.deepEqual(reasons, [
      'Edits ask in this mode',
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

  it('does not hold where the folder lies against what is in it', () => {
    const inHiddenFolder = edit('src/a.ts', 'edit', '/home/ada/.claude/worktrees/x/src/a.ts');
    assert.equal(outcome(decide(inHiddenFolder, 'acceptEdits')), 'allow mode');
  });
});
