import assert from 'node:assert/strict';
import type { SessionEntry } from '../../../../src/sdk/session/entries';
import { failure, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { comparable, outline, SessionBench, sessionFile } from '../../../support/sessions/sessions';

const plan =
  '[Mode: plan. Edits and commands are refused. Read what you need, then describe what you would change and run.]';
const ask = '[Mode: ask. Edits and commands are possible again; the user is asked about each.]';

function userContents(entries: readonly SessionEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.type === 'user_message' ? [entry.content] : []));
}

describe('A session and its mode', () => {
  it('tells the model once, in the newest message, when the mode has changed', async () => {
    const bench = new SessionBench();
    const session = await bench.open(...Array.from({ length: 5 }, () => textResponse('ok')));
    for (const [mode, text] of [
      ['ask', 'one'],
      ['plan', 'two'],
      ['plan', 'three'],
      ['ask', 'four'],
    ] as const) {
      bench.permissionMode = mode;
      await session.submit({ text });
      await session.whenIdle();
    }
    const expected = ['one', `${plan}\n\ntwo`, 'three', `${ask}\n\nfour`];
    assert.deepEqual(userContents(await bench.entries()), expected);
    assert.deepEqual(
      outline(session.view).filter((line) => line.startsWith('prompt')),
      ['prompt: one', 'prompt: two', 'prompt: three', 'prompt: four'],
    );
    await session.dispose();

    const loaded = await bench.open();
    bench.permissionMode = 'ask';
    await loaded.submit({ text: 'five' });
    await loaded.whenIdle();
    assert.deepEqual(userContents(await bench.entries()).at(-1), 'five');
  });

  it('tells it with a prompt that is on file and waits for a server', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('ok'));
    bench.beforeClient = () => Promise.reject(new Error('no server'));
    bench.permissionMode = 'plan';
    await session.submit({ text: 'one' });
    await session.whenIdle();
    // The prompt is on file with what it tells, and goes out with the retry.
    await session.submit({ text: 'two' });
    await session.whenIdle();
    assert.deepEqual(userContents(await bench.entries()), [`${plan}\n\none`, 'two']);
  });

  it('tells it to the current run with the next prompt', async () => {
    const bench = new SessionBench();
    const session = await bench.open(response([toolUse('c1', 'run', { command: 'ls' })]), textResponse('ok'));
    bench.approver.decisions.push(async () => {
      bench.permissionMode = 'plan';
      await session.submit({ text: 'wait' });
      await session.submit({ text: 'and look first' });
      return { action: 'allow' };
    });
    await session.submit({ text: 'go' });
    await session.whenIdle();
    const steered = (await bench.entries()).flatMap((entry) =>
      entry.type === 'user_message' && entry.origin === 'steer' ? [entry.content] : [],
    );
    assert.deepEqual(steered, [`${plan}\n\nwait\n\nand look first`, '']);
  });
});

describe('A session and its agent and profile', () => {
  it('says with which agent and profile it continues, and again when it is loaded', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('1'), textResponse('2'), textResponse('3'));
    for (const [made, text] of [
      [{}, 'one'],
      [{ profile: 'gpu' }, 'two'],
      [{ profile: 'gpu', agent: 'reviewer' }, 'three'],
    ] as const) {
      bench.made = () => made;
      session.reconfigure();
      await session.submit({ text });
      await session.whenIdle();
    }
    const expected = [
      'prompt: one',
      'text: 1',
      'prompt: two',
      'notice []: From here on: profile "gpu" (scripted at http://localhost:8080).',
      'text: 2',
      'prompt: three',
      'notice []: From here on: agent "reviewer", profile "gpu" (scripted at http://localhost:8080).',
      'text: 3',
    ];
    assert.deepEqual(outline(session.view), expected);
    const epochs = (await bench.entries()).flatMap((entry) =>
      entry.type === 'epoch' ? [[entry.reason, entry.profile, entry.agent]] : [],
    );
    assert.deepEqual(epochs, [
      ['settings', 'gpu', undefined],
      ['settings', 'gpu', 'reviewer'],
    ]);
    const again = new SessionBench();
    again.storage.setText(sessionFile, bench.storage.text(sessionFile));
    assert.deepEqual(comparable((await again.open()).view), comparable(session.view));
  });

  it('starts each prompt without history for such an agent, and keeps the newest prompt after a failure', async () => {
    const bench = new SessionBench();
    bench.made = ({ isForPrompt }) => ({ agent: 'fresh', omitsHistory: isForPrompt === true, isForOnePrompt: true });
    const session = await bench.open(
      textResponse('1'),
      failure({ code: 'connection', message: 'gone' }),
      textResponse('2'),
      textResponse('3'),
    );
    await session.submit({ text: 'one' });
    await session.whenIdle();
    await session.submit({ text: 'two' });
    await session.whenIdle();
    session.reconfigure();
    await session.retry();
    await session.whenIdle();
    await session.submit({ text: 'three' });
    await session.whenIdle();
    const texts = bench.requests.map(({ messages }) =>
      messages.map(({ content }) => JSON.stringify(content)).join(' '),
    );
    assert.deepEqual(texts, ['"one"', '"two"', '"two"', '"three"']);
    assert.deepEqual(
      (await bench.entries()).flatMap((entry) => (entry.type === 'epoch' ? [[entry.reason, entry.omitsHistory]] : [])),
      [
        ['prompt', true],
        ['settings', undefined],
        ['prompt', true],
      ],
    );
    const notices = outline(session.view).filter((line) => line.startsWith('notice'));
    assert.deepEqual(
      notices.at(-1),
      'notice []: The model does not see the messages above: this agent starts fresh with each prompt.',
    );
    assert.deepEqual(
      outline(session.view).filter((line) => line.startsWith('prompt')),
      ['prompt: one', 'prompt: two', 'prompt: three'],
    );
    const again = new SessionBench();
    again.storage.setText(sessionFile, bench.storage.text(sessionFile));
    const loaded = await again.open(textResponse('4'));
    again.made = () => ({ agent: 'fresh', isForOnePrompt: true });
    assert.deepEqual(comparable(loaded.view), comparable(session.view));
    await loaded.continueRun();
    await loaded.whenIdle();
    assert.match(again.newestRequest, /^\[\{"role":"user","content":"three"\}/);
  });
});
