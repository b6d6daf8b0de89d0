import assert from 'node:assert/strict';
import type { Message } from '../../../../src/sdk/messages';
import { tool } from '../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../support/sessions/clients';
import { hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const read = tool('read', 'Read', { path: 'string' }, ({ path }) => `contents of ${path}`);
const same = (id: number) => response([toolUse(`c${id}`, 'read', { path: 'a' })]);

function results(messages: readonly Message[]): readonly unknown[] {
  return messages.flatMap((message) => (message.role === 'tool' ? [message.content.content] : []));
}

const note = (count: number): string =>
  `contents of a\n\n[This call was made ${count} times and gave this same result each time. Do not repeat it: use what is known, or do something else.]`;

describe('Client with a model that repeats itself', () => {
  const options = { tools: [read], maxToolIterations: 50 };

  it('notes the third equal call with the same result and stops at the fifth, with every call answered', async () => {
    const last = response([toolUse('c5', 'read', { path: 'a' }), toolUse('c6', 'read', { path: 'b' })]);
    const { client } = scriptedClient([same(1), same(2), same(3), same(4), last], options);
    const { events, result } = await record(client.run('Read a'));

    const message =
      'The run was stopped: the model called read with the same arguments 5 times and got the same result each time. Tell it what to do differently.';
    assert.equal(result.outcome, 'error');
    assert.deepEqual(result.error, { code: 'loop_detected', message });
    assert.deepEqual(results(client.history), [
      'contents of a',
      'contents of a',
      note(3),
      note(4),
      note(5),
      'The run was stopped before this call, which was not executed. Nothing was changed.',
    ]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'warning' ? [[event.code, event.message]] : [])),
      [
        ['repeated_call', 'The model called read 3 times with the same result.'],
        ['repeated_call', 'The model called read 4 times with the same result.'],
        ['repeated_call', message],
      ],
    );
  });

  it('shows the note to PostToolUse hooks, as the model gets it', async () => {
    const seen: unknown[] = [];
    const { client } = scriptedClient([same(1), same(2), same(3), textResponse('ok')], {
      ...options,
      hooks: { PostToolUse: [({ result }) => void seen.push(result.content)] },
    });
    await record(client.run('Read a'));
    assert.equal(seen[2], note(3));
  });

  it('counts denied and failing calls too, and arguments in any order', async () => {
    const pair = (id: number, input: Record<string, string>) => response([toolUse(`c${id}`, 'nothing', input)]);
    const { client } = scriptedClient(
      [1, 2, 3, 4, 5].map((id) => pair(id, id % 2 === 0 ? { a: '1', b: '2' } : { b: '2', a: '1' })),
      options,
    );
    assert.equal((await record(client.run('go'))).result.error?.code, 'loop_detected');
  });

  it('starts counting again with the next prompt', async () => {
    const { client } = scriptedClient(
      [same(1), same(2), textResponse('a'), same(3), same(4), textResponse('b')],
      options,
    );
    await record(client.run('one'));
    await record(client.run('two'));
    assert.deepEqual(
      results(client.history),
      Array.from({ length: 4 }, () => 'contents of a'),
    );
  });

  it('allows five reads of five files', async () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((path) => response([toolUse(path, 'read', { path })]));
    const { client } = scriptedClient([...files, textResponse('Read.')], options);
    const { events, result } = await record(client.run('Read all'));
    assert.equal(result.outcome, 'completed');
    assert.equal(
      events.some(({ type }) => type === 'warning'),
      false,
    );
  });

  it('allows a call whose result changes', async () => {
    let count = 0;
    const poll = tool('poll', 'Poll', {}, () => `${(count += 1)} of 8 done`);
    const polls = Array.from({ length: 8 }, (_, index) => response([toolUse(`p${index}`, 'poll')]));
    const { client } = scriptedClient([...polls, textResponse('Done.')], { ...options, tools: [poll] });
    assert.equal((await record(client.run('Wait'))).result.outcome, 'completed');
  });

  it('allows edits and the same failing test in turn, with a note', async () => {
    const edit = tool('edit', 'Edit', { text: 'string' }, ({ text }) => `wrote ${text}`);
    const test = tool('test', 'Test', {}, () => '1 failing');
    const scripts = Array.from({ length: 8 }, (_, index) => [
      response([toolUse(`e${index}`, 'edit', { text: `try ${index}` })]),
      response([toolUse(`t${index}`, 'test')]),
    ]).flat();
    const { client } = scriptedClient([...scripts, textResponse('I give up.')], { ...options, tools: [edit, test] });
    assert.equal((await record(client.run('Fix it'))).result.outcome, 'completed');
  });

  it('stops two alternating calls', async () => {
    const scripts = Array.from({ length: 10 }, (_, index) =>
      response([toolUse(`c${index}`, 'read', { path: index % 2 === 0 ? 'a' : 'b' })]),
    );
    const { client } = scriptedClient(scripts, options);
    assert.equal((await record(client.run('go'))).result.error?.code, 'loop_detected');
    assert.equal(results(client.history).length, 9);
  });
});

describe('Client with a model that only thinks', () => {
  const thought = response([{ type: 'thinking', text: 'Hm.' }]);
  const nudge = 'You have thought, but not answered. Answer now, or call a tool.';

  it('asks once for the answer', async () => {
    const { client, provider } = scriptedClient([thought, textResponse('42')]);
    const { events, result } = await record(client.run('6 * 7?'));
    assert.equal(result.primaryText, '42');
    assert.equal(result.outcome, 'completed');
    assert.deepEqual(provider.requests[1]?.messages, [
      { role: 'user', content: '6 * 7?' },
      { role: 'assistant', content: [{ type: 'thinking', text: 'Hm.' }], stopReason: 'stop' },
      { role: 'user', content: nudge },
    ]);
    assert.ok(events.some((event) => event.type === 'user_message' && event.text === nudge));
  });

  it('ends with an error after the second thought, and can be tried again', async () => {
    const { client } = scriptedClient([thought, thought, textResponse('42')]);
    const { result } = await record(client.run('6 * 7?'));
    assert.deepEqual([result.outcome, result.error?.code, result.primaryText], ['error', 'no_answer', '']);
    assert.equal((await record(client.continueRun())).result.primaryText, '42');
  });

  it('sends a waiting message of the person instead of asking', async () => {
    const gate = hold();
    const { client, provider } = scriptedClient([[gate, ...thought], textResponse('ok')]);
    const run = record(client.run('go'));
    await gate.reached;
    client.steer('Be quick.');
    gate.release();
    await run;
    assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'user', content: 'Be quick.' });
  });

  it('accepts a thought with an answer or a call', async () => {
    const { client } = scriptedClient(
      [
        response([{ type: 'thinking', text: 'Hm.' }, toolUse('c1', 'read', { path: 'a' })]),
        response([
          { type: 'thinking', text: 'Hm.' },
          { type: 'text', text: 'ok' },
        ]),
      ],
      { tools: [read] },
    );
    const { result } = await record(client.run('go'));
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'ok']);
  });
});

describe('Client with a model that answers nothing', () => {
  const empty = response([]);
  const blank = textResponse(' \n');

  for (const [name, nothing] of [
    ['an empty response', empty],
    ['blanks', blank],
  ] as const) {
    it(`ends with an error after ${name}, and can be tried again`, async () => {
      const { client, provider } = scriptedClient([nothing, textResponse('42')]);
      const { result } = await record(client.run('6 * 7?'));
      assert.deepEqual([result.outcome, result.error?.code], ['error', 'no_answer']);
      assert.match(result.error?.message ?? '', /is empty/);
      assert.equal((await record(client.continueRun())).result.primaryText, '42');
      assert.deepEqual(provider.requests[1]?.messages, [{ role: 'user', content: '6 * 7?' }]);
    });
  }

  it('ends with an error after a tool, and keeps its result', async () => {
    const { client, provider } = scriptedClient(
      [response([toolUse('c1', 'read', { path: 'a' })]), empty, textResponse('It says a.')],
      { tools: [read] },
    );
    const { result } = await record(client.run('Read a'));
    assert.deepEqual([result.outcome, result.error?.code], ['error', 'no_answer']);
    assert.equal((await record(client.continueRun())).result.primaryText, 'It says a.');
    assert.equal(provider.requests[2]?.messages.at(-1)?.role, 'tool');
  });
});
