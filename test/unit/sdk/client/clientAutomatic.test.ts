import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Client } from '../../../../src/sdk/client';
import { AgentError } from '../../../../src/sdk/errors';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { Message } from '../../../../src/sdk/messages';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { failure, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

const add = tool('add', 'Add', { a: z.number(), b: z.number() }, ({ a, b }) => ({ sum: a + b }));
const divide = tool('divide', 'Divide', { a: 'number', b: 'number' }, ({ a, b }) => {
  if (b === 0) throw new Error('Division by zero');
  return a / b;
});

const connectionError = { code: 'connection', message: 'Nothing answers at http://localhost:8080.' } as const;

describe('Client in automatic mode', () => {
  it('gives its events in order to a reader that asks for several at once', async () => {
    const { client } = scriptedClient([response([toolUse('c1', 'add', { a: 1, b: 2 })]), textResponse('3')], {
      tools: [add],
    });
    const run = client.run('1 + 2?');
    const types: string[] = [];
    for (;;) {
      const some = await Promise.all([run.next(), run.next(), run.next()]);
      for (const next of some) if (!next.done) types.push(next.value.type);
      if (some.some(({ done }) => done)) break;
    }
    assert.deepEqual(
      types.filter((type) => /^(?:run|step)_/.test(type)),
      ['run_start', 'step_start', 'step_end', 'step_start', 'step_end', 'run_end'],
    );
  });

  it('emits a run of two steps exactly as documented, and its history', async () => {
    const call = toolUse('c1', 'add', { a: 25, b: 17 });
    const usage = { promptTokens: 10, completionTokens: 5 };
    const { client, provider } = scriptedClient(
      [
        [{ type: 'status', status: 'prefilling' }, ...response([{ type: 'text', text: 'Adding.' }, call], { usage })],
        textResponse('42', { promptTokens: 20, completionTokens: 1, cachedTokens: 15 }),
      ],
      { tools: [add] },
    );
    const { events, result } = await record(client.run('25 + 17?'));

    const first = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Adding.' }, call],
      stopReason: 'tool_use',
    } as const;
    const sum = {
      type: 'tool_result',
      toolUseId: 'c1',
      toolName: 'add',
      content: { sum: 42 },
      isError: false,
    } as const;
    const second = { role: 'assistant', content: [{ type: 'text', text: '42' }], stopReason: 'stop' } as const;
    const usage2 = { promptTokens: 20, completionTokens: 1, cachedTokens: 15 };
    assert.deepEqual(events, [
      { type: 'run_start', prompt: '25 + 17?' },
      { type: 'user_message', text: '25 + 17?', origin: 'prompt' },
      { type: 'step_start', step: 0 },
      { type: 'status', status: 'prefilling' },
      { type: 'text_delta', block: 0, text: 'Adding.' },
      { type: 'block_end', block: 0, content: { type: 'text', text: 'Adding.' } },
      { type: 'tool_use_start', block: 1, id: 'c1', name: 'add' },
      { type: 'block_end', block: 1, content: call },
      { type: 'assistant_message', message: first, responseId: 'response', model: 'scripted', usage },
      { type: 'usage', usage },
      { type: 'tool_execution_start', toolUseId: 'c1', toolName: 'add', input: { a: 25, b: 17 } },
      { type: 'tool_execution_end', toolUseId: 'c1', outcome: 'succeeded', result: sum },
      { type: 'step_end', step: 0, stopReason: 'tool_use' },
      { type: 'step_start', step: 1 },
      { type: 'text_delta', block: 0, text: '42' },
      { type: 'block_end', block: 0, content: { type: 'text', text: '42' } },
      { type: 'assistant_message', message: second, responseId: 'response', model: 'scripted', usage: usage2 },
      { type: 'usage', usage: usage2 },
      { type: 'step_end', step: 1, stopReason: 'stop' },
      { type: 'run_end', outcome: 'completed' },
    ] satisfies AgentEvent[]);
    const conversation: Message[] = [
      { role: 'user', content: '25 + 17?' },
      first,
      { role: 'tool', content: sum },
      second,
    ];
    assert.deepEqual(result, {
      conversation,
      finalResponse: { id: 'response', model: 'scripted', stopReason: 'stop', content: second.content },
      toolUses: first.content.filter((block) => block.type === 'tool_use'),
      usage: { promptTokens: 30, completionTokens: 6, cachedTokens: 15 },
      outcome: 'completed',
      primaryText: '42',
      hasError: false,
    });
    assert.deepEqual(client.history, conversation);
    assert.deepEqual(client.turnMetadata, { turnCount: 1 });
    assert.deepEqual(
      provider.requests.map(({ messages, ...rest }) => [messages.length, rest]),
      [1, 3].map((count) => [
        count,
        {
          model: 'scripted',
          systemPrompt: 'Be brief.',
          tools: [{ name: 'add', description: 'Add', inputSchema: add.inputSchema }],
          sampling: { temperature: 0.7, maxTokens: 4096 },
        },
      ]),
    );
  });

  it('yields every block, with an error for each call that failed', async () => {
    const calls = [
      toolUse('c1', 'divide', { a: 1, b: 0 }),
      toolUse('c2', 'nonexistent', {}),
      toolUse('c3', 'divide', { a: '6', b: 3 }),
      toolUse('c4', 'divide', { a: 'x' }),
    ];
    const unreadable = {
      type: 'tool_use_error',
      error: 'Not JSON',
      rawData: '{a',
      toolUseId: 'c5',
      toolName: 'divide',
    } as const;
    const { client } = scriptedClient([response([...calls, unreadable]), textResponse('Done')], { tools: [divide] });
    await client.query('Divide');
    const blocks = await collect(client.receiveMessages());

    const invalid =
      'Invalid arguments for divide: "a": expected number, received string; "b" is missing (expected number, received undefined).';
    const unknown = 'Unknown tool: nonexistent. The tools are: divide.';
    const error = (toolUseId: string, text: string, rawData: string, toolName = 'divide') =>
      ({ type: 'tool_use_error', error: text, toolUseId, toolName, rawData }) as const;
    const result = (toolUseId: string, content: string, isError: boolean, toolName = 'divide') =>
      ({ type: 'tool_result', toolUseId, toolName, content, isError }) as const;
    assert.deepEqual(blocks, [
      ...calls,
      unreadable,
      error('c1', 'Division by zero', '{"a":1,"b":0}'),
      result('c1', 'Division by zero', true),
      error('c2', unknown, '{}', 'nonexistent'),
      result('c2', unknown, true, 'nonexistent'),
      result('c3', '2', false),
      error('c4', invalid, '{"a":"x"}'),
      result('c4', invalid, true),
      result('c5', 'Not JSON', true),
      { type: 'text', text: 'Done' },
    ]);
    assert.deepEqual(
      client.history.slice(2, -1).map((message) => message.role === 'tool' && message.content.toolUseId),
      ['c1', 'c2', 'c3', 'c4', 'c5'],
    );
  });

  it('uses the real name of a call in events and history', async () => {
    const { client } = scriptedClient([response([toolUse('c1', 'functions.ADD', { a: 1, b: 1 })]), textResponse('2')], {
      tools: [add],
    });
    const { events } = await record(client.run('1 + 1'));
    const names = events.flatMap((event) => {
      if (event.type === 'tool_use_start') return [event.name];
      if (event.type === 'tool_execution_start') return [event.toolName];
      if (event.type === 'block_end' && event.content.type === 'tool_use') return [event.content.name];
      return [];
    });
    assert.deepEqual(names, ['add', 'add', 'add']);
    assert.deepEqual(client.history[1]?.content, [toolUse('c1', 'add', { a: 1, b: 1 })]);
  });

  it('yields the progress of a tool while it runs', async () => {
    const chatty = tool('chatty', 'Chat', {}, async (_input, { progress }) => {
      progress('one');
      await Promise.resolve();
      progress('two');
      return { content: 'done', display: { lines: 2 } };
    });
    const { client } = scriptedClient([response([toolUse('c1', 'chatty')]), textResponse('ok')], { tools: [chatty] });
    const { events } = await record(client.run('go'));
    assert.deepEqual(
      events.filter((event) => event.type.startsWith('tool_execution')),
      [
        { type: 'tool_execution_start', toolUseId: 'c1', toolName: 'chatty', input: {} },
        { type: 'tool_execution_progress', toolUseId: 'c1', output: 'one' },
        { type: 'tool_execution_progress', toolUseId: 'c1', output: 'two' },
        {
          type: 'tool_execution_end',
          toolUseId: 'c1',
          outcome: 'succeeded',
          result: { type: 'tool_result', toolUseId: 'c1', toolName: 'chatty', content: 'done', isError: false },
          display: { lines: 2 },
        },
      ],
    );
  });

  it('starts a tool only after the reader has taken its start event', async () => {
    const log: string[] = [];
    const noted = tool('noted', 'Note', {}, () => void log.push('ran'));
    const { client } = scriptedClient([response([toolUse('c1', 'noted')]), textResponse('ok')], { tools: [noted] });
    await record(client.run('go'), async (event) => {
      if (event.type !== 'tool_execution_start') return;
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      log.push('written down');
    });
    assert.deepEqual(log, ['written down', 'ran']);
  });

  describe('limits', () => {
    it('ends with a warning after maxToolIterations, and can be continued', async () => {
      const loop = (id: string) => response([toolUse(id, 'add', { a: 1, b: 1 })]);
      const { client, provider } = scriptedClient([loop('c1'), loop('c2'), textResponse('2')], {
        tools: [add],
        maxToolIterations: 2,
      });
      const { events, result } = await record(client.run('loop'));
      assert.deepEqual(events.slice(-3), [
        { type: 'step_end', step: 1, stopReason: 'tool_use' },
        {
          type: 'warning',
          code: 'max_tool_iterations',
          message: 'The run stopped after 2 tool iterations (maxToolIterations). Continue it, or raise the limit.',
        },
        { type: 'run_end', outcome: 'limit' },
      ]);
      assert.equal(result.outcome, 'limit');
      assert.equal(result.hasError, false);
      assert.deepEqual(result.toolUses, [toolUse('c1', 'add', { a: 1, b: 1 }), toolUse('c2', 'add', { a: 1, b: 1 })]);
      const roles = ['user', 'assistant', 'tool', 'assistant', 'tool'];
      assert.deepEqual(
        result.conversation.map(({ role }) => role),
        roles,
      );

      const continued = await record(client.continueRun());
      assert.equal(continued.result.primaryText, '2');
      assert.deepEqual(provider.requests[2]?.messages, result.conversation);
    });

    it('puts a short assistant message before a prompt that follows a limit', async () => {
      const { client } = scriptedClient([response([toolUse('c1', 'add', { a: 1, b: 1 })]), textResponse('ok')], {
        tools: [add],
        maxToolIterations: 1,
      });
      await record(client.run('loop'));
      const { events } = await record(client.run('stop that'));
      assert.deepEqual(events.slice(0, 3), [
        { type: 'run_start', prompt: 'stop that' },
        {
          type: 'assistant_message',
          message: {
            role: 'assistant',
            content: [{ type: 'text', text: 'I was stopped before I could answer.' }],
            stopReason: 'stop',
          },
          responseId: '',
          model: '',
        },
        { type: 'user_message', text: 'stop that', origin: 'prompt' },
      ]);
    });

    it('accepts maxTurns prompts', async () => {
      const { client } = scriptedClient([textResponse('one')], { maxTurns: 1 });
      await record(client.run('first'));
      const { result } = await record(client.run('second'));
      assert.deepEqual(result.error, {
        code: 'max_turns',
        message: 'The client has used all of its turns (maxTurns: 1).',
      });
      assert.deepEqual(client.turnMetadata, { turnCount: 1, maxTurns: 1 });
      assert.equal(client.history.length, 2);
    });
  });

  describe('failures', () => {
    it('loses nothing when a request fails before its first byte, and repeats it when asked', async () => {
      const { client, provider } = scriptedClient([failure(connectionError), textResponse('hello')]);
      const { events, result } = await record(client.run('hi'));
      assert.deepEqual(events.slice(2), [
        { type: 'step_start', step: 0 },
        { type: 'step_end', step: 0, stopReason: 'incomplete' },
        { type: 'run_end', outcome: 'error', error: connectionError },
      ]);
      assert.deepEqual(result, {
        conversation: [{ role: 'user', content: 'hi' }],
        toolUses: [],
        outcome: 'error',
        error: connectionError,
        primaryText: '',
        hasError: true,
      });
      const retried = await record(client.continueRun());
      assert.equal(retried.result.primaryText, 'hello');
      assert.deepEqual(provider.requests[1], provider.requests[0]);
    });

    it('keeps the text of a broken stream, and none of its calls', async () => {
      const broken = { code: 'stream_broken', message: 'The stream broke.' } as const;
      const { client } = scriptedClient(
        [
          [
            { type: 'text_delta', block: 0, text: 'Let me ' },
            { type: 'tool_use_start', block: 1, id: 'c1', name: 'add' },
            { type: 'block_end', block: 1, content: toolUse('c1', 'add', { a: 1, b: 1 }) },
            {
              type: 'error',
              error: broken,
              partial: [{ type: 'text', text: 'Let me ' }, toolUse('c1', 'add', { a: 1, b: 1 })],
            },
          ],
        ],
        { tools: [add] },
      );
      const { events, result } = await record(client.run('hi'));
      const message = {
        role: 'assistant',
        content: [{ type: 'text', text: 'Let me ' }],
        stopReason: 'incomplete',
      } as const;
      assert.deepEqual(events.slice(5), [
        {
          type: 'block_end',
          block: 1,
          content: {
            type: 'tool_use_error',
            error: 'The answer was cut off, so this call was not executed.',
            rawData: '{"a":1,"b":1}',
            toolUseId: 'c1',
            toolName: 'add',
          },
        },
        { type: 'assistant_message', message, responseId: '', model: '' },
        { type: 'warning', code: 'incomplete_response', message: 'The stream broke.' },
        { type: 'step_end', step: 0, stopReason: 'incomplete' },
        { type: 'run_end', outcome: 'error', error: broken },
      ]);
      assert.deepEqual(result.conversation, [{ role: 'user', content: 'hi' }, message]);
    });

    it('keeps the id and the model of a response that broke before its text, or within a call', async () => {
      const error = { code: 'stream_broken', message: 'The stream broke.' } as const;
      const response = { responseId: 'r1', model: 'served' };
      for (const partial of [[], [toolUse('c1', 'add', { a: 1, b: 1 })]]) {
        const { client } = scriptedClient([[{ type: 'error', error, partial, response }]], { tools: [add] });
        const { result } = await record(client.run('hi'));
        assert.deepEqual(result.finalResponse, { id: 'r1', model: 'served', stopReason: 'incomplete', content: [] });
        assert.deepEqual(result.conversation, [{ role: 'user', content: 'hi' }]);
      }
    });

    it('never executes the calls of a response that ended without a reason', async () => {
      let ran = 0;
      const counted = tool('counted', 'Count', {}, () => ++ran);
      const content = [{ type: 'text', text: 'So' } as const, toolUse('c1', 'counted')];
      const { client } = scriptedClient([response(content, { stopReason: 'incomplete' })], { tools: [counted] });
      const { result } = await record(client.run('go'));
      assert.equal(ran, 0);
      assert.equal(result.error?.code, 'stream_broken');
      assert.deepEqual(result.conversation.slice(1), [
        { role: 'assistant', content: [{ type: 'text', text: 'So' }], stopReason: 'incomplete' },
      ]);
    });

    it('completes with a warning when text reaches the length limit', async () => {
      const { client } = scriptedClient([response([{ type: 'text', text: 'Long' }], { stopReason: 'length' })]);
      const { events, result } = await record(client.run('go'));
      assert.equal(result.outcome, 'completed');
      assert.equal(result.finalResponse?.stopReason, 'length');
      assert.deepEqual(
        events.filter((event) => event.type === 'warning').map(({ code }) => code),
        ['incomplete_response'],
      );
    });

    it('throws the error of the run from receiveMessages, which can be called again', async () => {
      const { client } = scriptedClient([failure(connectionError), textResponse('hello')]);
      await client.query('hi');
      await assert.rejects(collect(client.receiveMessages()), (error) => {
        assert.ok(error instanceof AgentError);
        assert.deepEqual(error.toInfo(), connectionError);
        return true;
      });
      assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: 'hello' }]);
    });

    it('passes on the exception of a provider that breaks its contract, and stays usable', async () => {
      const { client, provider } = scriptedClient([]);
      await assert.rejects(record(client.run('hi')), /No script is left/);
      provider.add(textResponse('hello'));
      assert.equal((await record(client.continueRun())).result.primaryText, 'hello');
    });

    it('warns about malformed chunks once per response', async () => {
      const chunk = { type: 'malformed_chunk', text: '{"x' } as const;
      const { client } = scriptedClient([[chunk, chunk, ...textResponse('ok')]]);
      const { events } = await record(client.run('hi'));
      assert.deepEqual(
        events.filter(({ type }) => type === 'warning'),
        [{ type: 'warning', code: 'malformed_chunk', message: 'The server sent a malformed chunk: {"x' }],
      );
    });
  });

  describe('misuse', () => {
    it('allows one run at a time', async () => {
      const { client } = scriptedClient([textResponse('a')]);
      const first = client.run('one');
      await first.next();
      await assert.rejects(client.run('two').next(), /A run is executing/);
      await assert.rejects(client.query('two'), /A run is executing/);
      await record(first);
      assert.deepEqual(client.history.length, 2);
    });

    it('says what to do when nothing is waiting', async () => {
      const { client } = scriptedClient([textResponse('a')]);
      await assert.rejects(collect(client.receiveMessages()), /call query first/);
      await assert.rejects(client.query(''), /the prompt is empty/);
      await assert.rejects(client.continueRun().next(), /no conversation/);
    });

    it('rejects every call after close', async () => {
      const { client } = scriptedClient([]);
      {
        await using closing: Client = client;
        assert.equal(closing, client);
      }
      await assert.rejects(client.query('hi'), /The client is closed/);
      await assert.rejects(client.run('hi').next(), /The client is closed/);
    });
  });

  it('adds a short user message to continue after an assistant message', async () => {
    const { client, provider } = scriptedClient([textResponse('One.'), textResponse('Two.')]);
    await record(client.run('count'));
    await record(client.continueRun());
    assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'user', content: 'Continue.' });
  });

  it("can run again from the reader of a run's end", async () => {
    const { client } = scriptedClient([textResponse('One.'), textResponse('Two.')]);
    let second: Promise<unknown> | undefined;
    await record(client.run('a'), (event) => {
      if (event.type === 'run_end') second = record(client.run('b'));
    });
    await second;
    assert.deepEqual(client.history.length, 4);
  });
});
