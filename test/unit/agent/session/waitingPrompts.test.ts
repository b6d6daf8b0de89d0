import assert from 'node:assert/strict';
import { hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { outline, SessionBench } from '../../../support/sessions/sessions';

/** A session in the middle of a response that will call a tool. `answers` are the texts of the responses after it. */
async function reading(...answers: readonly string[]) {
  const bench = new SessionBench();
  const middle = hold();
  const session = await bench.open(
    [{ type: 'text_delta', block: 0, text: 'Look' }, middle, ...response([toolUse('c1', 'read', { path: 'a' })])],
    ...answers.map((answer) => textResponse(answer)),
  );
  await session.submit({ text: 'Read a' });
  await middle.reached;
  return { bench, session, middle };
}

describe('messages that wait for a session', () => {
  it('adds a prompt to the current run', async () => {
    const { bench, session, middle } = await reading('Both.');
    await session.submit({ text: 'and b', context: [{ label: 'b', content: 'B' }] });
    await session.submit({ text: 'and c' });
    const waiting = session.view.waiting?.map(({ text, contextLabels, when }) => [text, contextLabels, when]);
    assert.deepEqual(waiting, [
      ['and b', ['b'], 'next_step'],
      ['and c', [], 'next_step'],
    ]);
    middle.release();
    await session.whenIdle();
    assert.equal(session.view.waiting, undefined);
    assert.deepEqual(outline(session.view), [
      'prompt: Read a',
      'read succeeded: text of a',
      'steer: and b',
      'steer: and c',
      'text: Both.',
    ]);
    assert.equal(bench.requests[1]?.messages.at(-1)?.content, 'B\n\nand b\n\nand c');
  });

  it('sends a prompt after the run, in a run of its own', async () => {
    const { session, middle } = await reading('Read.', 'Tested.');
    await session.submit({ text: 'Test it' }, 'after_run');
    middle.release();
    await session.whenIdle();
    const expected = ['prompt: Read a', 'read succeeded: text of a', 'text: Read.', 'prompt: Test it', 'text: Tested.'];
    assert.deepEqual(outline(session.view), expected);
    assert.equal(session.view.waiting, undefined);
  });

  it('takes back a prompt until the model has it', async () => {
    const { bench, session, middle } = await reading('Both.');
    await session.submit({ text: 'and b' });
    await session.submit({ text: 'and c' });
    const [b, c] = session.view.waiting ?? [];
    assert.equal(session.withdraw(b!.id), 'and b');
    assert.equal(session.withdraw(b!.id), undefined);
    middle.release();
    await session.whenIdle();
    assert.equal(session.withdraw(c!.id), undefined);
    assert.deepEqual(outline(session.view).slice(2), ['steer: and c', 'text: Both.']);
    assert.doesNotMatch(bench.newestRequest, /and b/);
  });

  it('sends a prompt earlier or later than it was meant to', async () => {
    const { session, middle } = await reading('One.', 'Two.');
    await session.submit({ text: 'later' });
    await session.submit({ text: 'now' }, 'after_run');
    const [later, now] = session.view.waiting ?? [];
    await session.sendWaiting(later!.id, 'after_run');
    await session.sendWaiting(now!.id, 'next_step');
    middle.release();
    await session.whenIdle();
    assert.deepEqual(outline(session.view).slice(2), ['steer: now', 'text: One.', 'prompt: later', 'text: Two.']);
  });

  it('holds what waits when the person stops the run, until they send it', async () => {
    const bench = new SessionBench();
    const middle = hold();
    const session = await bench.open(
      [{ type: 'text_delta', block: 0, text: 'Once upon' }, middle],
      textResponse('The end.'),
      textResponse('In French.'),
    );
    await session.submit({ text: 'Tell' });
    await middle.reached;
    await session.submit({ text: 'In French' });
    await session.submit({ text: 'And sing' }, 'after_run');
    await session.stop();
    assert.deepEqual(
      session.view.waiting?.map(({ text, when }) => [text, when]),
      [
        ['In French', 'held'],
        ['And sing', 'held'],
      ],
    );
    await session.submit({ text: 'Go on' });
    await session.whenIdle();
    assert.doesNotMatch(bench.newestRequest, /French|sing|I was stopped/);
    const [french] = session.view.waiting ?? [];
    await session.sendWaiting(french!.id, 'next_step');
    await session.whenIdle();
    assert.match(bench.newestRequest, /"In French"/);
    assert.deepEqual(outline(session.view), [
      'prompt: Tell',
      'text (interrupted): Once upon',
      'prompt: Go on',
      'text: The end.',
      'prompt: In French',
      'text: In French.',
    ]);
    assert.deepEqual(
      session.view.waiting?.map(({ text }) => text),
      ['And sing'],
    );
  });
});
