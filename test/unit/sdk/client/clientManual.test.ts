import assert from 'node:assert/strict';
import type { Hooks } from '../../../../src/sdk/hooks';
import type { ContentBlock } from '../../../../src/sdk/messages';
import { query } from '../../../../src/sdk/query';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import {
  failure,
  hold,
  response,
  scriptedModel,
  ScriptedProvider,
  textResponse,
  toolUse,
} from '../../../support/servers/scriptedProvider';

const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => ({ sum: a + b }));
const manual = { autoExecuteTools: false, tools: [add] };
const call = toolUse('c1', 'add', { a: 1, b: 2 });

describe('Client in manual mode', () => {
  it('yields calls, takes results, and continues with receiveMessages', async () => {
    const { client, provider } = scriptedClient([response([call]), textResponse('3')], manual);
    await client.query('1 + 2?');
    assert.deepEqual(await collect(client.receiveMessages()), [call]);
    await client.addToolResult('c1', await add.execute(call.input));
    assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: '3' }]);
    assert.deepEqual(
      provider.requests.map(({ messages }) => messages.map(({ role }) => role)),
      [['user'], ['user', 'assistant', 'tool']],
    );
    assert.deepEqual(client.turnMetadata, { turnCount: 1 });
  });

  it('continues after query with an empty prompt, also inside the loop that reads the call', async () => {
    const { client } = scriptedClient([response([call]), textResponse('3')], manual);
    const blocks: ContentBlock[] = [];
    await client.query('1 + 2?');
    for await (const block of client.receiveMessages()) {
      blocks.push(block);
      if (block.type !== 'tool_use') continue;
      await client.addToolResult(block.id, await add.execute(block.input), { name: block.name });
      await client.query('');
      for await (const answer of client.receiveMessages()) blocks.push(answer);
    }
    assert.deepEqual(blocks, [call, { type: 'text', text: '3' }]);
    assert.deepEqual(
      client.history.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant'],
    );
  });

  describe('when the model only thinks', () => {
    const thought = response([{ type: 'thinking', text: 'Hm.' }]);
    const thinking: ContentBlock = { type: 'thinking', text: 'Hm.' };

    it('asks once for the answer, and then ends with an error', async () => {
      const { client, provider } = scriptedClient([thought, textResponse('3'), thought, thought], manual);
      await client.query('1 + 2?');
      assert.deepEqual(await collect(client.receiveMessages()), [thinking, { type: 'text', text: '3' }]);
      const asked = 'You have thought, but not answered. Answer now, or call a tool.';
      assert.deepEqual(provider.requests[1]?.messages.at(-1), { role: 'user', content: asked });
      await client.query('And again?');
      await assert.rejects(collect(client.receiveMessages()), { code: 'no_answer' });
      assert.equal(provider.requests.length, 4);
    });

    it('gives the call that follows to the caller', async () => {
      const { client } = scriptedClient([thought, response([call]), textResponse('3')], manual);
      await client.query('1 + 2?');
      assert.deepEqual(await collect(client.receiveMessages()), [thinking, call]);
      await client.addToolResult('c1', { sum: 3 });
      assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: '3' }]);
    });

    it('does the same in query()', async () => {
      const provider = new ScriptedProvider([thought, textResponse('3')]);
      const options = { systemPrompt: '', model: scriptedModel, baseUrl: 'http://localhost', provider };
      const messages = await collect(query('1 + 2?', options));
      assert.deepEqual(
        messages.map(({ content }) => content),
        [[thinking], [{ type: 'text', text: '3' }]],
      );
    });
  });

  it('keeps calls open when the reader leaves at the first one', async () => {
    const second = toolUse('c2', 'add', { a: 3, b: 4 });
    const { client } = scriptedClient([response([call, second]), textResponse('ok')], manual);
    await client.query('go');
    for await (const block of client.receiveMessages()) if (block.type === 'tool_use') break;
    await client.addToolResult('c1', { sum: 3 });
    await assert.rejects(client.query(''), /These tool calls have no result yet: c2\./);
    await assert.rejects(collect(client.receiveMessages()), /no result yet: c2/);
    await client.addToolResult('c2', [7]);
    assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: 'ok' }]);
  });

  it('takes text, objects and lists as results, in any order, each once', async () => {
    const calls = ['c1', 'c2', 'c3'].map((id) => toolUse(id, 'add', { a: 1, b: 2 }));
    const { client } = scriptedClient([response(calls)], manual);
    await client.query('go');
    await collect(client.receiveMessages());
    await client.addToolResult('c3', 'three', { isError: true });
    await client.addToolResult('c1', { one: 1 }, { name: 'plus' });
    await client.addToolResult('c2', [2]);
    const result = { type: 'tool_result', toolName: 'add', isError: false } as const;
    assert.deepEqual(client.history.slice(2), [
      { role: 'tool', content: { ...result, toolUseId: 'c1', toolName: 'plus', content: { one: 1 } } },
      { role: 'tool', content: { ...result, toolUseId: 'c2', content: [2] } },
      { role: 'tool', content: { ...result, toolUseId: 'c3', content: 'three', isError: true } },
    ]);
    await assert.rejects(client.addToolResult('c1', 'again'), /No tool call "c1" is waiting/);
    await assert.rejects(client.addToolResult('c9', 'what'), /No tool call "c9" is waiting/);
  });

  it('asks the hooks before a call is yielded: modified arguments are what the caller gets', async () => {
    const { client } = scriptedClient([response([call])], {
      ...manual,
      hooks: { PreToolUse: [() => ({ action: 'modify', input: { a: 5, b: 5 } })] },
    });
    await client.query('go');
    assert.deepEqual(await collect(client.receiveMessages()), [{ ...call, input: { a: 5, b: 5 } }]);
    assert.deepEqual(client.history[1]?.content, [{ ...call, input: { a: 5, b: 5 } }]);
  });

  it('has one input of a call: the caller, PostToolUse, the history, the result and the next request agree', async () => {
    const heard: unknown[] = [];
    const calls = [call, toolUse('c2', 'add', { a: '3', b: 4 }), toolUse('c3', 'add', { a: 1, b: 1 })];
    const hooks: Hooks = {
      PreToolUse: [({ toolUseId }) => (toolUseId === 'c1' ? { action: 'modify', input: { a: 5, b: 5 } } : undefined)],
      PostToolUse: [({ toolUseId, input }) => void heard.push([toolUseId, input])],
    };
    const { client, provider } = scriptedClient([response(calls), textResponse('ok')], { ...manual, hooks });
    const inputs: unknown[] = [];
    const { events, result } = await record(client.run('go'), async (event) => {
      if (event.type !== 'block_end' || event.content.type !== 'tool_use') return;
      inputs.push([event.content.id, event.content.input]);
      await client.addToolResult(event.content.id, 'done');
    });
    const expected = [
      ['c1', { a: 5, b: 5 }],
      ['c2', { a: 3, b: 4 }],
      ['c3', { a: 1, b: 1 }],
    ];
    const inputsOf = (content: unknown): unknown[] =>
      (content as { id: string; input: unknown }[]).map(({ id, input }) => [id, input]);
    const told = events.find((event) => event.type === 'assistant_message')?.message.content;
    await record(client.continueRun());
    const sent = provider.requests[1]?.messages[1]?.content;
    for (const content of [client.history[1]?.content, result.toolUses, result.finalResponse?.content, told, sent]) {
      assert.deepEqual(inputsOf(content), expected);
    }
    assert.deepEqual([inputs, heard], [expected, expected]);
  });

  it('yields an error for calls that are denied, invalid or unknown, and stores their results', async () => {
    const calls = [
      call,
      toolUse('c2', 'add', { a: 1 }),
      toolUse('c3', 'nothing'),
      toolUse('c4', 'add', { a: 2, b: 2 }),
    ];
    const { client } = scriptedClient([response(calls), textResponse('ok')], {
      ...manual,
      approvalHook: ({ toolUseId }) => (toolUseId === 'c1' ? { action: 'deny', reason: 'no' } : undefined),
    });
    await client.query('go');
    const denied = 'The call was denied. Nothing was changed. Reason: no';
    const blocks = await collect(client.receiveMessages());
    assert.deepEqual(
      blocks.map((block) => (block.type === 'tool_use_error' ? [block.toolUseId, block.error] : block)),
      [
        ['c1', denied],
        ['c2', 'Invalid arguments for add: "b" is missing (expected number, received undefined).'],
        ['c3', 'Unknown tool: nothing. The tools are: add.'],
        calls[3],
      ],
    );
    await client.addToolResult('c4', '4');
    assert.deepEqual(
      client.history.slice(2).map((message) => message.role === 'tool' && message.content.isError),
      [true, true, true, false],
    );
    assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: 'ok' }]);
  });

  it('takes a result while the hooks see the next call', async () => {
    const gate = hold();
    const calls = [call, toolUse('c2', 'add', { a: 2, b: 2 })];
    const { client } = scriptedClient([response(calls)], {
      ...manual,
      approvalHook: async ({ toolUseId, signal }) => {
        if (toolUseId === 'c2') await gate.wait(signal);
      },
    });
    await client.query('go');
    const blocks: ContentBlock[] = [];
    for await (const block of client.receiveMessages()) {
      blocks.push(block);
      if (block.type === 'tool_use') await client.addToolResult(block.id, 'done');
      gate.release();
    }
    assert.deepEqual(blocks, calls);
    assert.deepEqual(
      client.history.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool'],
    );
  });

  it('yields no call of a response that was cut off', async () => {
    const { client } = scriptedClient([response([call], { stopReason: 'incomplete' })], manual);
    await client.query('go');
    const blocks: ContentBlock[] = [];
    await assert.rejects(async () => {
      for await (const block of client.receiveMessages()) blocks.push(block);
    }, /was cut off/);
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['tool_use_error'],
    );
    assert.deepEqual(client.history, [{ role: 'user', content: 'go' }]);
  });

  it('answers open calls when another prompt comes', async () => {
    const { client } = scriptedClient([response([call]), textResponse('ok')], manual);
    await client.query('go');
    await collect(client.receiveMessages());
    await client.query('never mind');
    await collect(client.receiveMessages());
    assert.deepEqual(
      client.history.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'],
    );
  });

  it('ends run after one response, with the calls in its result', async () => {
    const { client } = scriptedClient([response([call]), textResponse('3')], manual);
    const { result } = await record(client.run('go'));
    assert.deepEqual([result.outcome, result.toolUses], ['completed', [call]]);
    await client.addToolResult('c1', '3');
    assert.equal((await record(client.continueRun())).result.primaryText, '3');
  });

  it('tells PostToolUse hooks of results', async () => {
    const heard: unknown[] = [];
    const { client } = scriptedClient([response([call])], {
      ...manual,
      hooks: { PostToolUse: [({ toolUseId, input, outcome }) => void heard.push([toolUseId, input, outcome])] },
    });
    await client.query('go');
    await collect(client.receiveMessages());
    await client.addToolResult('c1', '3');
    assert.deepEqual(heard, [['c1', { a: 1, b: 2 }, 'succeeded']]);
  });
});

describe('query', () => {
  const options = (provider: ScriptedProvider) => ({
    systemPrompt: 's',
    model: scriptedModel,
    baseUrl: 'http://localhost:8080',
    tools: [add],
    autoExecuteTools: true,
    provider,
  });

  it('yields one piece per message and never executes a tool', async () => {
    const provider = new ScriptedProvider([
      [
        { type: 'thinking_delta', block: 0, text: 'Hm' },
        { type: 'text_delta', block: 1, text: 'He' },
        { type: 'text_delta', block: 1, text: 'llo' },
        ...response([call])
          .slice(0, -1)
          .map((event) => ({ ...event, block: 2 })),
        ...response([call]).slice(-1),
      ],
    ]);
    assert.deepEqual(
      (await collect(query('hi', options(provider)))).map(({ content }) => content),
      [[{ type: 'thinking', text: 'Hm' }], [{ type: 'text', text: 'He' }], [{ type: 'text', text: 'llo' }], [call]],
    );
    assert.equal(provider.requests.length, 1);
  });

  it('yields whole blocks of a server that does not stream', async () => {
    const text = { type: 'text', text: 'Hello' } as const;
    const provider = new ScriptedProvider([response([text]).filter(({ type }) => type !== 'text_delta')]);
    assert.deepEqual(await collect(query('hi', options(provider))), [{ role: 'assistant', content: [text] }]);
  });

  it('asks the hooks about the prompt, and about each call before it is yielded', async () => {
    const provider = new ScriptedProvider([response([call, toolUse('c2', 'add', { a: 9, b: 9 })])]);
    const hooks: Hooks = {
      UserPromptSubmit: [({ prompt }) => ({ action: 'modifyPrompt', prompt: `${prompt}!` })],
      PreToolUse: [({ input }) => (input['a'] === 9 ? { action: 'deny', reason: 'too many' } : undefined)],
    };
    const messages = await collect(query('hi', { ...options(provider), hooks }));
    const error = 'The call was denied. Nothing was changed. Reason: too many';
    const denied = { type: 'tool_use_error', error, rawData: '{"a":9,"b":9}', toolUseId: 'c2', toolName: 'add' };
    assert.deepEqual(
      messages.map(({ content }) => content),
      [[call], [denied]],
    );
    assert.deepEqual(provider.requests[0]?.messages, [{ role: 'user', content: 'hi!' }]);
  });

  it('throws when the request fails', async () => {
    const provider = new ScriptedProvider([failure({ code: 'not_found', message: 'No model "x".' })]);
    await assert.rejects(collect(query('hi', options(provider))), /No model "x"\./);
  });

  it('closes the connection when the reader leaves', async () => {
    const provider = new ScriptedProvider([[{ type: 'text_delta', block: 0, text: 'a' }, hold()]]);
    for await (const message of query('hi', options(provider))) {
      assert.deepEqual(message.content, [{ type: 'text', text: 'a' }]);
      break;
    }
    assert.equal(provider.abortedCount, 1);
  });
});
