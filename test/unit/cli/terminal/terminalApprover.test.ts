import assert from 'node:assert/strict';
import type { ApprovalRequest } from '../../../../src/agent/approval/approver';
import { createTerminalApprover } from '../../../../src/cli/terminal/terminalApprover';
import type { Terminal } from '../../../../src/cli/terminal/terminal';
import { toDisposable } from '../../../../src/util/disposable';
import type { CommandPlan, EditPlan, GuardedPath } from '../../../../src/workspace/plans';

const target: GuardedPath = {
  path: '/w/a.ts',
  realPath: '/w/a.ts',
  displayPath: 'a.ts',
  pathInRoot: 'a.ts',
  exists: true,
};
const folder: GuardedPath = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };
const edit: EditPlan = {
  kind: 'edit',
  operation: 'edit',
  target,
  before: 'one\ntwo\n',
  after: 'one\nthree\n',
  proposed: 'one\nthree\n',
};
const command: CommandPlan = { kind: 'command', command: 'npm test', cwd: folder, timeoutMs: 1000 };

function request(plan: EditPlan | CommandPlan): ApprovalRequest {
  return { id: '1', sessionId: 's', toolUseId: 'c', toolName: 't', plan, reason: 'It always asks' };
}

function terminalThatSays(answer: string | undefined): Terminal {
  return {
    ask: () => Promise.resolve(answer),
    onInterrupt: () => toDisposable(() => undefined),
    onLine: () => toDisposable(() => undefined),
    onEnd: () => toDisposable(() => undefined),
    dispose: () => undefined,
  };
}

const options = { signal: new AbortController().signal };

describe('terminal approver', () => {
  for (const [answer, expected] of [
    ['y', { action: 'allow' }],
    [' YES ', { action: 'allow' }],
    ['n', { action: 'deny' }],
    ['', { action: 'deny' }],
    ['yes please', { action: 'deny', reason: 'yes please' }],
    ['y\ny', { action: 'deny', reason: 'y\ny' }],
    ['use tabs', { action: 'deny', reason: 'use tabs' }],
    [undefined, { action: 'cancelled' }],
  ] as const) {
    it(`takes ${JSON.stringify(answer) ?? 'the end of input'} for ${expected.action}`, async () => {
      const approver = createTerminalApprover({ terminal: terminalThatSays(answer), print: () => undefined });
      assert.deepEqual(await approver.ask(request(edit), options), expected);
      assert.equal(approver.unasked, 0);
    });
  }

  it('remembers for the session when offered, and shows the exact rule', async () => {
    const printed: string[] = [];
    const asking = createTerminalApprover({ terminal: terminalThatSays('a'), print: (text) => printed.push(text) });
    const folder = { realPath: '/w', name: '.' };
    const remember = { rules: ['npm test'], folder, scopes: ['session'] } as const;
    const offered = { ...request(command), offers: { remember }, programs: ['/usr/bin/npm', '/usr/bin/npm'] };
    assert.deepEqual(await asking.ask(offered, options), { action: 'allow', remember: 'session' });
    assert.equal(
      printed.join(''),
      '\nRun in /w:\n  npm test\nRuns /usr/bin/npm.\n“Always” allows exactly: npm test, in the workspace folder\n(It always asks)\n',
    );
    assert.deepEqual(await asking.ask(request(command), options), { action: 'deny', reason: 'a' });
  });

  const shown: readonly [string, EditPlan | CommandPlan, string][] = [
    ['an edit as a diff', edit, 'Edit a.ts (+1 -1)\n@@ -1,2 +1,2 @@\n one\n-two\n+three'],
    ['a command and where it runs', command, 'Run in /w:\n  npm test'],
    [
      'what is hidden in a command',
      { ...command, command: 'echo hi\u202e\rrm x\ntouch p' },
      'Run in /w:\n  echo hi<U+202E><CR>rm x↵\n  touch p',
    ],
  ];
  for (const [name, plan, text] of shown) {
    it(`shows ${name}`, async () => {
      const printed: string[] = [];
      const approver = createTerminalApprover({
        terminal: terminalThatSays('n'),
        print: (part) => void printed.push(part),
      });
      await approver.ask(request(plan), options);
      assert.equal(printed.join(''), `\n${text}\n(It always asks)\n`);
    });
  }

  it('shows a new file as one', async () => {
    const printed: string[] = [];
    const approver = createTerminalApprover({ print: (part) => void printed.push(part) });
    await approver.ask(request({ ...edit, operation: 'create', before: null, after: 'x\n' }), options);
    assert.match(printed.join(''), /^\nCreate a\.ts \(\+1 -0\)\n@@.*@@\n\+x\n/);
  });

  it('shows a long edit whole', async () => {
    const printed: string[] = [];
    const after = Array.from({ length: 1000 }, (_, line) => `line ${line}\n`).join('');
    const approver = createTerminalApprover({ print: (part) => void printed.push(part) });
    await approver.ask(request({ ...edit, operation: 'create', before: null, after }), options);
    assert.match(printed.join(''), /^\+line 999$/m);
  });

  it('denies when there is no terminal, tells the model why, and counts', async () => {
    const approver = createTerminalApprover({ print: () => undefined });
    const decision = await approver.ask(request(command), options);
    assert.equal(decision.action, 'deny');
    assert.match(decision.action === 'deny' ? (decision.reason ?? '') : '', /runs without a terminal/);
    assert.equal(approver.unasked, 1);
  });

  it('asks one question at a time', async () => {
    const answers: ((answer: string) => void)[] = [];
    const printed: string[] = [];
    const approver = createTerminalApprover({
      terminal: { ...terminalThatSays('y'), ask: () => new Promise((resolve) => answers.push(resolve)) },
      print: (text) => void printed.push(text),
    });
    const decisions = [approver.ask(request(edit), options), approver.ask(request(command), options)];
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await settle();
    assert.deepEqual([printed.length, answers.length], [1, 1]);
    answers[0]?.('n');
    assert.deepEqual(await decisions[0], { action: 'deny' });
    await settle();
    answers[1]?.('y');
    assert.deepEqual(await decisions[1], { action: 'allow' });
    assert.deepEqual([printed.length, answers.length], [2, 2]);
  });
});
