import assert from 'node:assert/strict';
import { rulesOf } from '../../../support/sessions/projectRules';
import { textResponse } from '../../../support/servers/scriptedProvider';
import { comparable, outline, SessionBench } from '../../../support/sessions/sessions';

const change = (path: string) => ({
  path,
  before: null,
  after: { hash: 'h', size: 1, isExecutable: false },
});

describe('branches of a session', () => {
  async function twoTurns() {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('One.'), textResponse('Two.'), textResponse('Three.'));
    await session.submit({ text: 'First' });
    await session.whenIdle();
    await session.submit({ text: 'Second' });
    await session.whenIdle();
    const prompts = session.view.items.filter(({ kind }) => kind === 'prompt');
    return { bench, session, first: prompts[0]?.id ?? '', second: prompts[1]?.id ?? '' };
  }

  it('continues from before a message: the model gets its history of that time', async () => {
    const { bench, session, second } = await twoTurns();
    assert.notEqual(session.goTo({ before: second }), undefined);
    assert.deepEqual(outline(session.view), [
      'prompt: First',
      'text: One.',
      'notice [undoRestore]: The conversation went back to this point. What came after is kept.',
    ]);
    await session.submit({ text: 'Another' });
    await session.whenIdle();
    assert.deepEqual(bench.requests.at(-1)?.messages, [
      { role: 'user', content: 'First' },
      { role: 'assistant', content: [{ type: 'text', text: 'One.' }], stopReason: 'stop' },
      { role: 'user', content: 'Another' },
    ]);
  });

  it('sends a prompt again with its context, each note and each rule once', async () => {
    const bench = new SessionBench();
    bench.permissionMode = 'plan';
    bench.projectRules = rulesOf({ '/w/AGENTS.md': 'Rules.' });
    const session = await bench.open(textResponse('One.'), textResponse('Two.'));
    await session.submit({ text: 'Explain', context: [{ label: 'a.ts', content: 'A.' }] });
    await session.whenIdle();
    const [first] = session.view.items;
    assert.ok(first?.kind === 'prompt' && session.goTo({ before: first.id }));
    await session.resend(first.id);
    await session.whenIdle();
    const [before, after] = bench.requests.map(({ messages }) => messages);
    assert.equal(after?.length, 1);
    const parts = (messages: typeof before): readonly string[] => {
      const message = messages?.[0];
      assert.ok(message?.role === 'user' && typeof message.content === 'string');
      assert.match(message.content, /\n\nExplain$/);
      return message.content.split('\n\n').toSorted((a, b) => a.localeCompare(b));
    };
    assert.deepEqual(parts(after), parts(before));
    const again = session.view.items.find(({ kind }) => kind === 'prompt');
    assert.deepEqual(again?.kind === 'prompt' && again.contextLabels, first.contextLabels);
    await session.resend('nobody');
    assert.equal(bench.requests.length, 2);
  });

  it('goes back to before the first message', async () => {
    const { bench, session, first } = await twoTurns();
    session.goTo({ before: first });
    await session.submit({ text: 'Anew' });
    await session.whenIdle();
    assert.deepEqual(bench.requests.at(-1)?.messages, [{ role: 'user', content: 'Anew' }]);
  });

  it('returns to where it was', async () => {
    const { session, second } = await twoTurns();
    const before = comparable(session.view, { withNotices: false });
    const left = session.goTo({ before: second });
    assert.ok(left);
    const notice = session.view.items.at(-1)?.id ?? '';
    assert.deepEqual(session.restoreOf(notice), { checkpoints: [], cameFrom: left });
    session.goTo({ after: left });
    assert.deepEqual(comparable(session.view, { withNotices: false }), before);
  });

  it('is the same after a reload', async () => {
    const { bench, session, second } = await twoTurns();
    session.goTo({ before: second });
    const { view } = session;
    await session.dispose();
    const again = await bench.open();
    assert.deepEqual(comparable(again.view), comparable(view));
  });

  it('stays in place during a run, and for an unknown entry', async () => {
    const { session, first } = await twoTurns();
    assert.equal(session.goTo({ before: 'nobody' }), undefined);
    await session.submit({ text: 'Go' });
    assert.equal(session.goTo({ before: first }), undefined);
    await session.whenIdle();
    assert.equal(outline(session.view).at(-1), 'text: Three.');
  });

  it('knows the changes of files since a message, on all branches', async () => {
    const { session, first, second } = await twoTurns();
    await session.recordCheckpoint({ cause: 'edit', label: 'a', changes: [change('/w/a')] });
    session.goTo({ before: second });
    await session.recordCheckpoint({ cause: 'command', label: 'b', changes: [change('/w/b')] });
    const labels = (id: string) => session.checkpointsSince(id).map(({ label }) => label);
    assert.deepEqual([labels(first), labels(second), labels('nobody')], [['a', 'b'], ['a', 'b'], []]);
  });

  it('tells what a restore restored, and what its undo undoes', async () => {
    const { session, second } = await twoTurns();
    await session.recordCheckpoint({ cause: 'edit', label: 'a', changes: [change('/w/a')] });
    await session.recordCheckpoint({ cause: 'restore', label: 'before “Second”', changes: [change('/w/a')] });
    await session.recordCheckpoint({ cause: 'restore', label: '', changes: [change('/w/b')] });
    const files = session.view.items.at(-1);
    assert.equal(outline(session.view).at(-1), 'notice [undoRestore]: Restored to how they were before “Second”: a.');
    assert.deepEqual(
      session.restoreOf(files?.id ?? '')?.checkpoints.map(({ label }) => label),
      ['before “Second”', ''],
    );
    const edited = session.entries.findLast((entry) => entry.type === 'checkpoint' && entry.cause === 'edit');
    assert.ok(session.goTo({ before: second }));
    const both = session.restoreOf(session.view.items.at(-1)?.id ?? '');
    assert.deepEqual([both?.checkpoints.length, both?.cameFrom], [2, edited?.id]);
    assert.equal(session.restoreOf(second), undefined);
  });

  it('offers one undo for what was taken back together, and for that, and for that', async () => {
    const { session, second } = await twoTurns();
    const before = outline(session.view);
    const takeFilesBack = (label: string): Promise<void> =>
      session.recordCheckpoint({ cause: 'restore', label, changes: [change('/w/a')] });
    const undo = async (): Promise<void> => {
      const undone = session.restoreOf(session.view.items.at(-1)?.id ?? '');
      assert.equal(undone?.checkpoints.length, 1);
      await takeFilesBack('before they were restored');
      session.goTo({ after: undone?.cameFrom ?? '' });
    };
    const notice = 'notice [undoRestore]: The conversation went back to this point. What came after is kept.';
    await takeFilesBack('before “Second”');
    session.goTo({ before: second });
    const shorter = ['prompt: First', 'text: One.'];
    assert.deepEqual(outline(session.view), [...shorter, notice]);
    await undo();
    assert.deepEqual(outline(session.view), [...before, notice]);
    await undo();
    assert.deepEqual(
      outline(session.view).filter((line) => line !== notice),
      shorter,
    );
    await undo();
    assert.deepEqual(
      outline(session.view).filter((line) => line !== notice),
      before,
    );
  });

  it('rejects a checkpoint that cannot be put on the disk', async () => {
    const { bench, session } = await twoTurns();
    bench.storage.fault = (step) => {
      if (step === 'write') throw new Error('ENOSPC');
      return undefined;
    };
    await assert.rejects(session.recordCheckpoint({ cause: 'edit', label: 'a', changes: [] }), /ENOSPC/);
  });
});
