import assert from 'node:assert/strict';
import type { Client } from '../../../../src/sdk/client';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { hold, response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';

const notExecuted = 'The user interrupted the run. The call was not executed and nothing was changed.';

/** Interrupts from within the loop that reads, when `isMoment` first holds, and returns what is left behind. */
async function interruptAt(
  isMoment: (event: AgentEvent) => boolean,
  scripts: readonly Script[],
  options: Partial<AgentOptions> = {},
) {
  const { client, provider } = scriptedClient(scripts, options);
  let isDone = false;
  const recorded = await record(client.run('go'), async (event) => {
    if (isDone || !isMoment(event)) return;
    isDone = true;
    await client.interrupt();
  });
  assert.deepEqual(recorded.events.at(-1), { type: 'run_end', outcome: 'interrupted' });
  assert.equal(recorded.result.hasError, false);
  await assertUsable(client, provider.add.bind(provider));
  return { ...recorded, provider };
}

async function assertUsable(client: Client, add: (script: Script) => void): Promise<void> {
  await client.interrupt();
  add(textResponse('still here'));
  const { result } = await record(client.run('are you there?'));
  assert.equal(result.primaryText, 'still here');
}

/** A tool that waits; `behaviour` says what it does when it is told to stop. */
function waitingTool(behaviour: 'throws' | 'reports') {
  const started = hold();
  const waiting = tool('wait', 'Wait', {}, async (_input, { signal }) => {
    started.release();
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    if (behaviour === 'throws') signal.throwIfAborted();
    return 'printed three lines';
  });
  return { waiting, started: started.wait(new AbortController().signal) };
}

const roles = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role);

describe('Client.interrupt', () => {
  it('does nothing before or after a run, or the second time', async () => {
    const { client, provider } = scriptedClient([textResponse('a')]);
    await client.interrupt();
    await record(client.run('go'));
    await Promise.all([client.interrupt(), client.interrupt()]);
    assert.deepEqual(roles(client.history), ['user', 'assistant']);
    await assertUsable(client, provider.add.bind(provider));
  });

  it('before the first byte keeps the prompt and nothing else', async () => {
    const { events, result } = await interruptAt(({ type }) => type === 'step_start', [[hold()]]);
    assert.deepEqual(events.slice(2), [
      { type: 'step_start', step: 0 },
      { type: 'step_end', step: 0, stopReason: 'interrupted' },
      { type: 'run_end', outcome: 'interrupted' },
    ]);
    assert.deepEqual(result.conversation, [{ role: 'user', content: 'go' }]);
  });

  it('while text streams keeps the text, marks it, and closes the connection', async () => {
    const script: Script = [{ type: 'text_delta', block: 0, text: 'Once upon' }, hold(), ...textResponse('never')];
    const { result, provider } = await interruptAt(({ type }) => type === 'text_delta', [script]);
    assert.deepEqual(result.conversation, [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'text', text: 'Once upon' }], stopReason: 'interrupted' },
    ]);
    assert.equal(provider.abortedCount, 1);
  });

  it('between a response and its tools answers every call and runs none', async () => {
    let ran = 0;
    const counted = tool('counted', 'Count', {}, () => ++ran);
    const calls = [toolUse('c1', 'counted'), toolUse('c2', 'counted')];
    const { result } = await interruptAt(({ type }) => type === 'tool_execution_start', [response(calls)], {
      tools: [counted],
    });
    assert.equal(ran, 0);
    assert.deepEqual(
      result.conversation.slice(2).map((message) => message.role === 'tool' && message.content.content),
      [notExecuted, notExecuted],
    );
  });

  it('while a hook asks does not wait for its answer', async () => {
    const asked = hold();
    const { client, provider } = scriptedClient([response([toolUse('c1', 'counted')])], {
      tools: [tool('counted', 'Count', {}, () => assert.fail('ran'))],
      approvalHook: async () => {
        asked.release();
        await new Promise(() => {});
      },
    });
    const run = record(client.run('go'));
    await asked.wait(new AbortController().signal);
    await client.interrupt();
    const { events } = await run;
    assert.deepEqual(events.slice(-4, -2), [
      { type: 'tool_execution_start', toolUseId: 'c1', toolName: 'counted', input: {} },
      {
        type: 'tool_execution_end',
        toolUseId: 'c1',
        outcome: 'interrupted',
        result: { type: 'tool_result', toolUseId: 'c1', toolName: 'counted', content: notExecuted, isError: true },
      },
    ]);
    await assertUsable(client, provider.add.bind(provider));
  });

  for (const [behaviour, content] of [
    ['throws', 'The user interrupted the run. It may have taken effect in part.'],
    ['reports', 'The user interrupted the run.\nprinted three lines'],
  ] as const) {
    it(`while a tool runs that ${behaviour} when it is told to stop`, async () => {
      const { waiting, started } = waitingTool(behaviour);
      const { client, provider } = scriptedClient([response([toolUse('c1', 'wait'), toolUse('c2', 'wait')])], {
        tools: [waiting],
      });
      const run = record(client.run('go'));
      await started;
      await client.interrupt();
      const { result } = await run;
      assert.equal(result.outcome, 'interrupted');
      assert.deepEqual(
        result.conversation.slice(2).map((message) => message.role === 'tool' && message.content.content),
        [content, notExecuted],
      );
      await assertUsable(client, provider.add.bind(provider));
    });
  }

  it('after the last tool keeps its result and does not ask the model again', async () => {
    const { result, provider } = await interruptAt(
      ({ type }) => type === 'tool_execution_end',
      [response([toolUse('c1', 'quick')])],
      { tools: [tool('quick', 'Be quick', {}, () => 'done')] },
    );
    assert.deepEqual(roles(result.conversation), ['user', 'assistant', 'tool']);
    assert.equal(provider.requests.length, 2);
  });

  it('while a prompt hook decides does not keep the prompt', async () => {
    const asked = hold();
    const hooks = {
      UserPromptSubmit: [
        async ({ prompt }: { readonly prompt: string }) => {
          if (prompt !== 'go') return;
          asked.release();
          await new Promise(() => {});
        },
      ],
    };
    const { client, provider } = scriptedClient([], { hooks });
    const run = record(client.run('go'));
    await asked.wait(new AbortController().signal);
    await client.interrupt();
    assert.deepEqual((await run).result.conversation, []);
    await assertUsable(client, provider.add.bind(provider));
  });

  it('between query and receiveMessages sends and yields nothing', async () => {
    const { client, provider } = scriptedClient([]);
    await client.query('go');
    await client.interrupt();
    assert.deepEqual(await collect(client.receiveMessages()), []);
    assert.equal(provider.requests.length, 0);
    await assertUsable(client, provider.add.bind(provider));
    assert.deepEqual(roles(client.history), ['user', 'assistant', 'user', 'assistant']);
  });

  it('ends receiveMessages without an error', async () => {
    const { client } = scriptedClient([[{ type: 'text_delta', block: 0, text: 'a' }, hold()]]);
    await client.query('go');
    const texts: unknown[] = [];
    for await (const block of client.receiveMessages()) {
      texts.push(block);
      await client.interrupt();
    }
    assert.deepEqual(texts, [{ type: 'text', text: 'a' }]);
  });

  it('in manual mode answers the calls that wait for the caller', async () => {
    const { client, provider } = scriptedClient([response([toolUse('c1', 'quick')])], {
      autoExecuteTools: false,
      tools: [tool('quick', 'Be quick', {}, () => 'done')],
    });
    await record(client.run('go'));
    await client.interrupt();
    await assert.rejects(client.addToolResult('c1', 'late'), /No tool call "c1"/);
    assert.deepEqual(roles(client.history), ['user', 'assistant', 'tool']);
    await assertUsable(client, provider.add.bind(provider));
  });

  for (const hook of ['UserPromptSubmit', 'PreToolUse', 'PostToolUse'] as const) {
    it(`works inside a ${hook} hook, in a run and in manual mode`, async () => {
      for (const autoExecuteTools of [true, false]) {
        const once = tool('once', 'Once', {}, () => 'ok');
        let interrupts = 0;
        const { client, provider } = scriptedClient(
          hook === 'UserPromptSubmit' ? [] : [response([toolUse('c1', 'once')])],
          {
            autoExecuteTools,
            tools: [once],
            hooks: {
              [hook]: [
                async () => {
                  if (interrupts++ === 0) await client.interrupt();
                },
              ],
            },
          },
        );
        const { result } = await record(client.run('go'));
        if (hook === 'PostToolUse' && !autoExecuteTools) await client.addToolResult('c1', 'ok');
        else assert.equal(result.outcome, 'interrupted');
        assert.equal(interrupts, 1);
        const open = client.history.flatMap((message) => (message.role === 'tool' ? [] : [message.role]));
        assert.deepEqual(open, hook === 'UserPromptSubmit' ? [] : ['user', 'assistant']);
        await assertUsable(client, provider.add.bind(provider));
      }
    });
  }

  it('works inside a tool', async () => {
    const clients: Client[] = [];
    const stopper = tool('stopper', 'Stop', {}, async () => {
      void clients[0]?.interrupt();
      return 'stopping';
    });
    const { client, provider } = scriptedClient([response([toolUse('c1', 'stopper')])], { tools: [stopper] });
    clients.push(client);
    const { result } = await record(client.run('go'));
    assert.equal(result.outcome, 'interrupted');
    await assertUsable(client, provider.add.bind(provider));
  });
});

describe('Client.run', () => {
  it('is interrupted by its signal', async () => {
    const { client, provider } = scriptedClient([[{ type: 'text_delta', block: 0, text: 'a' }, hold()]]);
    const controller = new AbortController();
    const { result } = await record(client.run('go', { signal: controller.signal }), (event) => {
      if (event.type === 'text_delta') controller.abort();
    });
    assert.equal(result.outcome, 'interrupted');
    assert.equal(provider.abortedCount, 1);
  });

  it('sends nothing when its signal is aborted already', async () => {
    const { client, provider } = scriptedClient([]);
    const { result } = await record(client.run('go', { signal: AbortSignal.abort() }));
    assert.deepEqual([result.outcome, provider.requests.length], ['interrupted', 0]);
    assert.deepEqual(result.conversation, [{ role: 'user', content: 'go' }]);
  });

  it('is interrupted by leaving early, and has ended when the loop is left', async () => {
    const { client, provider } = scriptedClient([[{ type: 'text_delta', block: 0, text: 'a' }, hold()]]);
    for await (const event of client.run('go')) if (event.type === 'text_delta') break;
    assert.equal(provider.abortedCount, 1);
    assert.deepEqual(client.history.at(-1), {
      role: 'assistant',
      content: [{ type: 'text', text: 'a' }],
      stopReason: 'interrupted',
    });
    await assertUsable(client, provider.add.bind(provider));
  });
});

describe('Client.cancelTool', () => {
  it('stops only that call; the model is told, and the run goes on', async () => {
    const { waiting, started } = waitingTool('reports');
    const quick = tool('quick', 'Be quick', {}, () => 'done');
    const { client } = scriptedClient([response([toolUse('c1', 'wait'), toolUse('c2', 'quick')]), textResponse('ok')], {
      tools: [waiting, quick],
    });
    const run = record(client.run('go'));
    await started;
    assert.equal(client.cancelTool('c9'), false);
    assert.equal(client.cancelTool('c1'), true);
    const { events, result } = await run;
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'tool_execution_end' ? [[event.toolUseId, event.outcome, event.result.content]] : [],
      ),
      [
        ['c1', 'interrupted', 'The user stopped this tool call.\nprinted three lines'],
        ['c2', 'succeeded', 'done'],
      ],
    );
    assert.deepEqual([result.outcome, result.primaryText], ['completed', 'ok']);
    assert.equal(client.cancelTool('c1'), false);
  });

  it('stops a call that has not started', async () => {
    const { waiting, started } = waitingTool('throws');
    const { client } = scriptedClient([response([toolUse('c1', 'wait'), toolUse('c2', 'wait')]), textResponse('ok')], {
      tools: [waiting],
    });
    const run = record(client.run('go'));
    await started;
    assert.equal(client.cancelTool('c2'), true);
    assert.equal(client.cancelTool('c1'), true);
    const { result } = await run;
    const told = result.conversation.map((message) => message.role === 'tool' && message.content.content);
    assert.deepEqual(told.slice(2, 4), [
      'The user stopped this tool call. It may have taken effect in part.',
      'The user stopped this tool call. The call was not executed and nothing was changed.',
    ]);
  });
});

describe('Client.steer', () => {
  const quick = tool('quick', 'Be quick', {}, () => 'done');
  const bridge = {
    role: 'assistant',
    content: [{ type: 'text', text: 'I see there is a new message.' }],
    stopReason: 'stop',
  } as const;

  it('reaches the model at its next step, after the tool results', async () => {
    const { client, provider } = scriptedClient([response([toolUse('c1', 'quick')]), textResponse('ok')], {
      tools: [quick],
    });
    const { events } = await record(client.run('go'), (event) => {
      if (event.type !== 'tool_execution_start') return;
      assert.equal(client.steer('and'), true);
      assert.equal(client.steer('hurry'), true);
    });
    const at = events.findIndex(({ type }) => type === 'step_end');
    assert.deepEqual(events.slice(at, at + 4), [
      { type: 'step_end', step: 0, stopReason: 'tool_use' },
      { type: 'assistant_message', message: bridge, responseId: '', model: '' },
      { type: 'user_message', text: 'and\n\nhurry', origin: 'steer' },
      { type: 'step_start', step: 1 },
    ]);
    assert.deepEqual(provider.requests[1]?.messages.slice(-2), [bridge, { role: 'user', content: 'and\n\nhurry' }]);
  });

  it('after the final answer starts another step of the same run', async () => {
    const { client } = scriptedClient([textResponse('one'), textResponse('two')]);
    const { events, result } = await record(client.run('go'), (event) => {
      if (event.type === 'text_delta' && event.text === 'one') client.steer('more');
    });
    assert.deepEqual(roles(client.history), ['user', 'assistant', 'user', 'assistant']);
    assert.equal(events.filter(({ type }) => type === 'run_end').length, 1);
    assert.equal(result.primaryText, 'two');
    assert.deepEqual(client.turnMetadata, { turnCount: 1 });
  });

  it('returns false and keeps nothing when no run takes it', async () => {
    const { client } = scriptedClient([textResponse('one'), textResponse('two')]);
    assert.equal(client.steer('early'), false);
    await record(client.run('go'), (event) => {
      if (event.type === 'run_end') assert.equal(client.steer('late'), false);
    });
    await record(client.run('again'));
    assert.deepEqual(client.history[2], { role: 'user', content: 'again' });
  });

  it('puts a message that an interrupted run did not take before the next prompt', async () => {
    const { client, provider } = scriptedClient([[{ type: 'text_delta', block: 0, text: 'a' }, hold()]]);
    await record(client.run('go'), async (event) => {
      if (event.type !== 'text_delta') return;
      client.steer('wait');
      await client.interrupt();
    });
    provider.add(textResponse('ok'));
    const { events } = await record(client.run('now'));
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'user_message' ? [[event.text, event.origin]] : [])),
      [
        ['wait', 'steer'],
        ['now', 'prompt'],
      ],
    );
    assert.deepEqual(roles(client.history), ['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
  });
});
