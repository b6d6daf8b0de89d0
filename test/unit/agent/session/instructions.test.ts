import assert from 'node:assert/strict';
import { hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { rulesOf } from '../../../support/sessions/projectRules';
import { SessionBench } from '../../../support/sessions/sessions';

describe('the instructions of a project in a session', () => {
  const bench = (files: Readonly<Record<string, string>>) => {
    const made = new SessionBench();
    const choice = { off: [] as readonly string[] };
    made.projectRules = rulesOf(files, () => choice.off);
    return { made, choice };
  };
  const rules = { '/w/AGENTS.md': 'Use tabs.', '/w/CLAUDE.md': 'Be brief.' };
  /** The first user message of the newest request, and its newest, by the rules that they hold. */
  const told = ({ requests }: SessionBench) => {
    const contents = (requests.at(-1)?.messages ?? []).flatMap((message) =>
      message.role === 'user' && typeof message.content === 'string' ? [message.content] : [],
    );
    const words = (content = ''): string =>
      (content.match(/Use tabs|Be brief|Nested \w+|Hi|Again|More/g) ?? []).join(' ');
    return [words(contents[0]), words(contents.at(-1))];
  };
  const notices = (made: SessionBench) =>
    made.events.flatMap((event) => (event.type === 'notice' ? [event.notice.message] : []));

  it('leave the conversation with a new epoch when they are switched off, and come back', async () => {
    const { made, choice } = bench(rules);
    const session = await made.open(textResponse('One.'), textResponse('Two.'), textResponse('Three.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Use tabs Be brief Hi']);
    choice.off = ['AGENTS.md'];
    session.reconfigure();
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Be brief Hi', 'Again']);
    const epochs = async () =>
      (await made.entries()).flatMap((entry) => (entry.type === 'epoch' ? [entry.leavesOut] : []));
    assert.deepEqual(await epochs(), [['AGENTS.md']]);
    choice.off = [];
    session.reconfigure();
    await session.submit({ text: 'More' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'More']);
    assert.deepEqual(await epochs(), [['AGENTS.md'], undefined]);
    const words = [
      'From here on the model does not get the instructions: AGENTS.md.',
      'From here on the model gets the instructions again: AGENTS.md.',
    ];
    assert.deepEqual(notices(made), words);
    const again = await made.open();
    const shown = ({ view }: typeof session) => view.items.filter(({ kind }) => kind === 'prompt' || kind === 'notice');
    assert.deepEqual(shown(again), shown(session));
    const [first] = again.view.items;
    assert.deepEqual(first?.kind === 'prompt' && first.instructions?.map(({ id, label }) => [id, label]), [
      ['AGENTS.md', 'AGENTS.md'],
      ['CLAUDE.md', 'CLAUDE.md'],
    ]);
  });

  it('count as they are chosen when the session is opened again', async () => {
    const { made, choice } = bench(rules);
    const session = await made.open(textResponse('One.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    await session.dispose();
    choice.off = ['CLAUDE.md'];
    const again = await made.open(textResponse('Two.'));
    await again.submit({ text: 'Again' });
    await again.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Hi', 'Again']);
    assert.equal((await made.entries()).filter(({ type }) => type === 'epoch').length, 1);
  });

  it('that were off from the start go with the next message once they are on', async () => {
    const { made, choice } = bench(rules);
    choice.off = ['AGENTS.md'];
    const session = await made.open(textResponse('One.'), textResponse('Two.'), textResponse('Three.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Be brief Hi', 'Be brief Hi']);
    choice.off = [];
    session.reconfigure();
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Be brief Hi', 'Use tabs Again']);
    await session.submit({ text: 'More' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Be brief Hi', 'More']);
  });

  it('do not come back with a message that is sent again', async () => {
    const { made, choice } = bench(rules);
    const session = await made.open(textResponse('One.'), textResponse('Two.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    const [first] = session.view.items;
    assert.ok(first?.kind === 'prompt');
    choice.off = ['CLAUDE.md'];
    session.reconfigure();
    session.goTo({ before: first.id });
    await session.resend(first.id);
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Hi', 'Use tabs Hi']);
    const again = session.view.items.find(({ kind }) => kind === 'prompt');
    assert.deepEqual(again?.kind === 'prompt' && again.contextLabels, ['AGENTS.md']);
  });

  it('of a folder go with the next message after a file below it was read, once', async () => {
    const { made } = bench({
      ...rules,
      '/w/a/AGENTS.md': 'Nested one.',
      '/w/b/AGENTS.md': 'Nested two.',
      '/w/a/x.ts': '',
    });
    const session = await made.open(
      response([toolUse('c1', 'read_file', { path: 'a/x.ts' })]),
      textResponse('One.'),
      textResponse('Two.'),
      textResponse('Three.'),
    );
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Use tabs Be brief Hi']);
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Nested one Again']);
    const reopened = await made.open(textResponse('Three.'));
    await reopened.submit({ text: 'More' });
    await reopened.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'More']);
  });

  it('of a folder go with a message to the run that read a file below it', async () => {
    const { made } = bench({ ...rules, '/w/a/AGENTS.md': 'Nested one.', '/w/a/x.ts': '' });
    const middle = hold();
    const session = await made.open(
      [
        { type: 'text_delta', block: 0, text: 'Look' },
        middle,
        ...response([toolUse('c1', 'read_file', { path: 'a/x.ts' })]),
      ],
      textResponse('Both.'),
      textResponse('Last.'),
    );
    await session.submit({ text: 'Hi' });
    await middle.reached;
    await session.submit({ text: 'Again' });
    await session.submit({ text: 'More' });
    middle.release();
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Nested one Again More']);
    const sent = ({ view }: typeof session) =>
      view.items.flatMap((item) =>
        item.kind === 'prompt' && item.isSteering
          ? [[item.text, item.contextLabels, item.instructions?.map(({ id }) => id)]]
          : [],
      );
    assert.deepEqual(sent(session), [
      ['Again', ['a/AGENTS.md'], ['a/AGENTS.md']],
      ['More', [], undefined],
    ]);
    assert.equal(session.view.waiting, undefined);
    const reopened = await made.open(textResponse('Last.'));
    assert.deepEqual(sent(reopened), sent(session));
    await reopened.submit({ text: 'Again' });
    await reopened.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Again']);
  });

  it('of a folder go with a message that is typed during the answer after a file below it was read', async () => {
    const { made } = bench({ ...rules, '/w/a/AGENTS.md': 'Nested one.', '/w/a/x.ts': '' });
    const middle = hold();
    const session = await made.open(
      response([toolUse('c1', 'read_file', { path: 'a/x.ts' })]),
      [{ type: 'text_delta', block: 0, text: 'One' }, middle, ...textResponse('One.').slice(1)],
      textResponse('Two.'),
    );
    await session.submit({ text: 'Hi' });
    await middle.reached;
    await session.submit({ text: 'Again' });
    middle.release();
    await session.whenIdle();
    assert.deepEqual(told(made), ['Use tabs Be brief Hi', 'Nested one Again']);
  });
});
