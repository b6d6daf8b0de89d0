import assert from 'node:assert/strict';
import type { ApprovalRequest } from '../../../../src/agent/approval/approver';
import type { HunkState } from '../../../../src/agent/view/approvalSummary';
import { Emitter } from '../../../../src/util/emitter';
import { VscodeApprover } from '../../../../src/host/approvals/vscodeApprover';
import type { EditPreview, HunkChange } from '../../../../src/host/diffPreview/editPreview';

const target = { path: '/w/a.ts', realPath: '/w/a.ts', displayPath: 'a.ts', pathInRoot: 'a.ts', exists: true };
const edit: ApprovalRequest = {
  id: 'r1',
  sessionId: 's1',
  toolUseId: 't1',
  toolName: 'apply_edit',
  plan: { kind: 'edit', operation: 'edit', target, before: 'a', after: 'b', proposed: 'b' },
  reason: 'Edits always ask',
};
const command: ApprovalRequest = {
  ...edit,
  id: 'r2',
  toolName: 'run_terminal_command',
  plan: { kind: 'command', command: 'ls', cwd: { ...target, displayPath: '.' }, timeoutMs: 1_000 },
};

class FakePreview implements EditPreview {
  readonly calls: string[] = [];
  typed: string | undefined;
  failure: Error | undefined;

  async open(requestId: string, _plan: unknown, { takeFocus }: { readonly takeFocus: boolean }): Promise<void> {
    this.calls.push(`open ${requestId}${takeFocus ? ' with focus' : ''}`);
    if (this.failure) throw this.failure;
  }

  editedText(_requestId?: string): string | undefined {
    return this.typed;
  }

  readonly hunks = new Emitter<HunkChange>((error) => assert.fail(String(error)));
  readonly onHunksChanged = this.hunks.on;
  states: HunkState[] = ['open', 'open'];

  async decideHunk(requestId: string, _plan: unknown, hunk: number, isKept: boolean): Promise<readonly HunkState[]> {
    this.calls.push(`${isKept ? 'keep' : 'drop'} ${hunk} of ${requestId}`);
    this.states = this.states.with(hunk, isKept ? 'accepted' : 'rejected');
    return this.states;
  }

  readonly inReview = new Set<string>();

  isInReview(requestId: string): boolean {
    return this.inReview.has(requestId);
  }

  async close(requestId: string): Promise<void> {
    this.calls.push(`close ${requestId}`);
  }
}

describe('VscodeApprover', () => {
  const { signal } = new AbortController();
  let preview: FakePreview;
  let errors: unknown[];
  let approver: VscodeApprover;

  beforeEach(() => {
    preview = new FakePreview();
    errors = [];
    approver = new VscodeApprover({
      preview,
      isOnScreen: (sessionId) => sessionId === 's1',
      onInternalError: (error) => void errors.push(error),
    });
  });

  it('shows a proposed edit without taking the focus, and closes it once accepted', async () => {
    const decision = approver.ask(edit, { signal });
    assert.deepEqual(preview.calls, ['open r1']);
    assert.equal(approver.approve('r1', 's1'), true);
    assert.deepEqual(await decision, { action: 'allow' });
    assert.deepEqual(preview.calls, ['open r1', 'close r1']);
  });

  it('shows the first of several waiting edits, and the next once it is decided', async () => {
    const decisions = ['r1', 'r2', 'r3', 'r4'].map((id) => approver.ask({ ...edit, id }, { signal }));
    assert.deepEqual(
      approver.pendingEdits('s1').map(({ id }) => id),
      ['r1', 'r2', 'r3', 'r4'],
    );
    assert.deepEqual(approver.pendingEdits('s2'), []);
    approver.approve('r2');
    approver.deny('r1');
    preview.inReview.add('r4');
    approver.approve('r3');
    approver.approve('r4');
    assert.deepEqual(preview.calls, ['open r1', 'close r2', 'open r1', 'close r1', 'open r3', 'close r3', 'close r4']);
    assert.deepEqual(
      (await Promise.all(decisions)).map(({ action }) => action),
      ['deny', 'allow', 'allow', 'allow'],
    );
  });

  it('accepts an edit whose card leaves out lines only once an editor has shown it', async () => {
    const long = 'line\n'.repeat(5_000);
    const longEdit = { ...edit, plan: { ...edit.plan, after: long, proposed: long } } as ApprovalRequest;
    const offers = { acceptsEdits: true } as const;
    const decisions = ['s2 a', 's2 b', 's2 c'].map((id) =>
      approver.ask({ ...longEdit, id, sessionId: 's2', offers }, { signal }),
    );
    assert.equal(approver.approve('s2 a', 's2'), false);
    approver.showProposal('s2 a', 's2');
    assert.equal(approver.approve('s2 a', 's2', { acceptsEdits: true }), true);
    assert.deepEqual(
      approver.pendingEdits('s2').map(({ id }) => id),
      ['s2 b', 's2 c'],
    );
    preview.inReview.add('s2 b');
    assert.equal(approver.approve('s2 b'), true);
    preview.failure = new Error('The editor cannot open.');
    approver.showProposal('s2 c', 's2');
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(approver.approve('s2 c'), false);
    assert.equal(approver.deny('s2 c'), true);
    assert.deepEqual(
      (await Promise.all(decisions)).map(({ action }) => action),
      ['allow', 'allow', 'deny'],
    );
  });

  it('accepts the waiting edits too when all edits of the run are accepted', async () => {
    const offers = { acceptsEdits: true } as const;
    const decisions = [
      approver.ask({ ...edit, offers }, { signal }),
      approver.ask({ ...edit, id: 'r2', offers }, { signal }),
      approver.ask({ ...edit, id: 'r3' }, { signal }),
      approver.ask({ ...edit, id: 'r4', offers, sessionId: 's2' }, { signal }),
    ];
    assert.equal(approver.approve('r1', 's1', { acceptsEdits: true }), true);
    assert.deepEqual(await decisions[0], { action: 'allow', acceptsEdits: true });
    assert.deepEqual(await decisions[1], { action: 'allow' });
    assert.deepEqual(
      approver.pendingEdits().map(({ id }) => id),
      ['r3', 'r4'],
    );
  });

  describe('with several edits at once', () => {
    const at = (id: string, displayPath: string): ApprovalRequest => {
      assert.equal(edit.plan.kind, 'edit');
      const target = { ...edit.plan.target, displayPath, pathInRoot: displayPath };
      return { ...edit, id, plan: { ...edit.plan, target } };
    };
    const waiting = () => approver.pendingEdits().map(({ id }) => id);

    it('accepts only those that need no answer of their own, and opens no editor of a decided one', () => {
      const requests = [
        at('a', 'a.ts'),
        at('b', 'package.json'),
        at('c', 'c.ts'),
        { ...at('d', 'd.ts'), isSensitive: true },
      ];
      for (const request of requests) void approver.ask(request, { signal });
      const outcome = approver.answerEdits(['a', 'b', 'c', 'd', 'gone'], { sessionId: 's1', isAccepted: true });
      assert.deepEqual([outcome, waiting()], [{ decided: 2, left: 2 }, ['b', 'd']]);
      assert.deepEqual(preview.calls, ['open a', 'close a', 'close c', 'open b']);
    });

    it('rejects all of them, with one reason', async () => {
      const decisions = [at('a', 'a.ts'), at('b', 'package.json')].map((request) => approver.ask(request, { signal }));
      void approver.ask({ ...at('c', 'c.ts'), sessionId: 's2' }, { signal });
      approver.answerEdits(['a', 'b', 'c'], { sessionId: 's1', isAccepted: false, reason: 'No.' });
      const denied = { action: 'deny', reason: 'No.' };
      assert.deepEqual([await Promise.all(decisions), waiting()], [[denied, denied], ['c']]);
    });
  });

  it('accepts the text typed into the proposal', async () => {
    const decision = approver.ask(edit, { signal });
    preview.typed = 'b and more';
    approver.approve('r1');
    assert.deepEqual(await decision, { action: 'allow', editedText: 'b and more' });
  });

  describe('hunk by hunk', () => {
    it('decides one hunk and leaves the question open', async () => {
      const decision = approver.ask(edit, { signal });
      assert.equal(await approver.decideHunk('r1', { hunk: 0, isKept: false, sessionId: 's1' }), true);
      assert.equal(await approver.decideHunk('r1', { hunk: 1, isKept: false, sessionId: 's1' }), true);
      assert.equal(approver.isPending('r1'), true);
      assert.equal(await approver.decideHunk('r1', { hunk: 0, isKept: true, sessionId: 'another' }), false);
      assert.equal(await approver.decideHunk('unknown', { hunk: 0, isKept: true }), false);
      assert.deepEqual(preview.calls, ['open r1', 'drop 0 of r1', 'drop 1 of r1']);
      approver.approve('r1');
      assert.deepEqual(await decision, { action: 'allow' });
    });

    it('applies the remaining hunks once the last one is decided', async () => {
      const decision = approver.ask(edit, { signal });
      await approver.decideHunk('r1', { hunk: 0, isKept: false, isFinal: true });
      assert.equal(approver.isPending('r1'), true);
      preview.typed = 'what is left';
      await approver.decideHunk('r1', { hunk: 1, isKept: true, isFinal: true });
      assert.deepEqual(await decision, { action: 'allow', editedText: 'what is left' });
    });

    it('rejects the edit when no hunk is left, but applies typed text', async () => {
      const first = approver.ask(edit, { signal });
      preview.states = ['rejected', 'open'];
      preview.typed = 'a';
      await approver.decideHunk('r1', { hunk: 1, isKept: false, isFinal: true });
      assert.deepEqual(await first, { action: 'deny' });
      const second = approver.ask({ ...edit, id: 'r3' }, { signal });
      preview.states = ['rejected', 'open'];
      preview.typed = 'a and typed';
      await approver.decideHunk('r3', { hunk: 1, isKept: false, isFinal: true });
      assert.deepEqual(await second, { action: 'allow', editedText: 'a and typed' });
    });

    it('tells the asker about hunk states until the edit is decided', async () => {
      const heard: (readonly HunkState[])[] = [];
      const decision = approver.ask(edit, { signal, onHunks: (states) => void heard.push(states) });
      preview.hunks.emit({ requestId: 'r1', states: ['rejected', 'open'] });
      preview.hunks.emit({ requestId: 'r2', states: ['open', 'open'] });
      approver.approve('r1');
      await decision;
      preview.hunks.emit({ requestId: 'r1', states: ['open', 'open'] });
      assert.deepEqual(heard, [['rejected', 'open']]);
    });
  });

  it('denies with a reason, or without one', async () => {
    const first = approver.ask(edit, { signal });
    approver.deny('r1', '  Use tabs.  ', 's1');
    assert.deepEqual(await first, { action: 'deny', reason: 'Use tabs.' });
    const second = approver.ask({ ...edit, id: 'r3' }, { signal });
    approver.deny('r3', '   ');
    assert.deepEqual(await second, { action: 'deny' });
  });

  it('answers each question once', async () => {
    const decision = approver.ask(edit, { signal });
    assert.equal(approver.deny('r1'), true);
    assert.equal(approver.approve('r1'), false);
    assert.equal(approver.deny('r1', 'again'), false);
    assert.equal(approver.showProposal('r1'), false);
    assert.deepEqual(await decision, { action: 'deny' });
  });

  it('does nothing for an unknown question or one of another session', () => {
    void approver.ask(edit, { signal });
    assert.equal(approver.approve('r9'), false);
    assert.equal(approver.approve('r1', 's2'), false);
    assert.equal(approver.deny('r1', undefined, 's2'), false);
    assert.equal(approver.isPending('r1'), true);
  });

  it('asks about commands without a diff editor', async () => {
    const decision = approver.ask(command, { signal });
    assert.equal(approver.hasPendingEdit, false);
    preview.typed = 'from nowhere';
    assert.equal(approver.showProposal('r2'), false);
    approver.approve('r2');
    assert.deepEqual(await decision, { action: 'allow' });
    assert.deepEqual(preview.calls, []);
  });

  it('shows the edits of a session in the background only when the person asks for them', () => {
    void approver.ask({ ...edit, sessionId: 's2' }, { signal });
    assert.deepEqual(preview.calls, []);
    assert.equal(approver.showProposal('r1', 's2'), true);
    assert.deepEqual(preview.calls, ['open r1 with focus']);
  });

  it('cancels a question when the run is stopped', async () => {
    const stopping = new AbortController();
    const decision = approver.ask(edit, stopping);
    stopping.abort();
    assert.deepEqual(await decision, { action: 'cancelled' });
    assert.equal(approver.approve('r1'), false);
    assert.deepEqual(preview.calls, ['open r1', 'close r1']);
    assert.deepEqual(await approver.ask(edit, stopping), { action: 'cancelled' });
  });

  it('goes on asking when the diff editor cannot be opened', async () => {
    preview.failure = new Error('no editor');
    const decision = approver.ask(edit, { signal });
    await Promise.resolve();
    approver.approve('r1');
    assert.deepEqual(await decision, { action: 'allow' });
    assert.deepEqual(errors, [preview.failure]);
  });

  it('tells when there is an edit to decide', () => {
    const seen: boolean[] = [];
    approver.onChange(() => void seen.push(approver.hasPendingEdit));
    void approver.ask(edit, { signal });
    approver.approve('r1');
    assert.deepEqual(seen, [true, false]);
  });

  it('cancels all questions when disposed', async () => {
    const decisions = [approver.ask(edit, { signal }), approver.ask(command, { signal })];
    approver.dispose();
    assert.deepEqual(await Promise.all(decisions), [{ action: 'cancelled' }, { action: 'cancelled' }]);
  });

  describe('about an edit of several files', () => {
    const single = { kind: 'edit', operation: 'edit', target, before: 'a', after: 'b', proposed: 'b' } as const;
    const several: ApprovalRequest = {
      ...edit,
      plan: {
        kind: 'edits',
        title: 'Rename a to b',
        edits: [single, { ...single, target: { ...target, path: '/w/b.ts' } }],
      },
    };
    let reviews: string[];

    beforeEach(() => {
      reviews = [];
      approver = new VscodeApprover({
        preview,
        isOnScreen: () => true,
        showReview: async (sessionId) => void reviews.push(sessionId),
        onInternalError: (error) => void errors.push(error),
      });
    });

    it('opens the editor of all its files when the person asks for it, and closes all proposals', async () => {
      const decision = approver.ask(several, { signal });
      assert.deepEqual([preview.calls, reviews], [[], []]);
      assert.equal(approver.showProposal('r1', 's1'), true);
      assert.deepEqual(reviews, ['s1']);
      assert.equal(approver.isPending('r1.1'), true);
      assert.equal(approver.approve('r1.1', 's1'), true);
      assert.deepEqual(await decision, { action: 'allow' });
      assert.deepEqual(preview.calls, ['close r1.0', 'close r1.1']);
      assert.equal(approver.isPending('r1.0'), false);
    });

    it('passes on what the person typed into each file', async () => {
      const decision = approver.ask(several, { signal });
      preview.editedText = (id?: string) => (id === 'r1.1' ? 'typed' : undefined);
      approver.approve('r1');
      assert.deepEqual(await decision, { action: 'allow', editedTexts: [undefined, 'typed'] });
    });

    it('decides a change of one file without deciding the rest', async () => {
      const decision = approver.ask(several, { signal });
      preview.states = ['open'];
      assert.equal(await approver.decideHunk('r1.1', { hunk: 0, isKept: false, isFinal: true }), true);
      assert.deepEqual(preview.calls, ['drop 0 of r1.1']);
      assert.equal(approver.isPending('r1'), true);
      assert.equal(await approver.decideHunk('r1.2', { hunk: 0, isKept: false }), false);
      assert.equal(approver.deny('r1.0', 'no'), true);
      assert.deepEqual(await decision, { action: 'deny', reason: 'no' });
    });

    it('waits for an answer of its own when one of its files is protected', async () => {
      const guarded = { ...single, target: { ...target, displayPath: 'package.json', pathInRoot: 'package.json' } };
      void approver.ask({ ...several, plan: { kind: 'edits', title: 'x', edits: [single, guarded] } }, { signal });
      assert.deepEqual(approver.answerEdits(['r1'], { isAccepted: true }), { decided: 0, left: 1 });
    });
  });
});
