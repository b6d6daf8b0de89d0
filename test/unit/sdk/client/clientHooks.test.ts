import assert from 'node:assert/strict';
import type { PreToolUseDecision, PreToolUseHook } from '../../../../src/sdk/hooks';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import { tool } from '../../../../src/sdk/tool';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';

/** A tool with a plan, that writes down every step it takes. */
function loggedTool(log: string[]) {
  return tool(
    'write',
    'Write',
    { path: 'string', times: { type: 'integer', default: 1 } },
    {
      prepare: ({ path, times }) => {
        log.push(`prepare ${path}`);
        return path === 'missing'
          ? { ok: false, error: 'No such file: missing' }
          : { ok: true, plan: `${path} x${times}` };
      },
      run: (plan) => {
        log.push(`run ${plan}`);
        return `wrote ${plan}`;
      },
    },
  );
}

/** Runs one call of `write` and returns what the model was told. */
async function callWrite(log: string[], input: Record<string, string>, options: Partial<AgentOptions>) {
  const { client } = scriptedClient([response([toolUse('c1', 'write', input)]), textResponse('ok')], {
    tools: [loggedTool(log)],
    ...options,
  });
  const { events } = await record(client.run('go'));
  const end = events.find((event) => event.type === 'tool_execution_end');
  const start = events.find((event) => event.type === 'tool_execution_start');
  return { outcome: end?.outcome, content: end?.result.content, input: start?.input };
}

const logging =
  (log: string[], name: string, decision?: PreToolUseDecision): PreToolUseHook =>
  ({ input, plan }) => {
    log.push(`${name} ${JSON.stringify(input)} ${String(plan)}`);
    return decision;
  };

describe('PreToolUse hooks', () => {
  it('see valid, prepared arguments, in order, with the approval hook last', async () => {
    const log: string[] = [];
    const told = await callWrite(
      log,
      { path: 'a', times: '2' },
      {
        approvalHook: logging(log, 'approval'),
        hooks: { PreToolUse: [logging(log, 'first'), logging(log, 'second', { action: 'allow' })] },
      },
    );
    assert.deepEqual(log, [
      'prepare a',
      'first {"path":"a","times":2} a x2',
      'second {"path":"a","times":2} a x2',
      'approval {"path":"a","times":2} a x2',
      'run a x2',
    ]);
    assert.deepEqual(told, { outcome: 'succeeded', content: 'wrote a x2', input: { path: 'a', times: 2 } });
  });

  it('modify: validated and prepared again, and seen by the next hook', async () => {
    const log: string[] = [];
    const modify = { action: 'modify', input: { path: 'b' } } as const;
    const told = await callWrite(
      log,
      { path: 'a' },
      {
        approvalHook: logging(log, 'approval'),
        hooks: { PreToolUse: [logging(log, 'first', modify)] },
      },
    );
    assert.deepEqual(log, [
      'prepare a',
      'first {"path":"a","times":1} a x1',
      'prepare b',
      'approval {"path":"b","times":1} b x1',
      'run b x1',
    ]);
    assert.deepEqual(told, { outcome: 'succeeded', content: 'wrote b x1', input: { path: 'b', times: 1 } });
  });

  it('modify: invalid arguments fail, and the next hook is not asked', async () => {
    for (const [input, error] of [
      [{ path: 'missing' }, 'No such file: missing'],
      [{}, 'Invalid arguments for write: "path" is missing (expected string, received undefined).'],
    ] as const) {
      const log: string[] = [];
      const told = await callWrite(
        log,
        { path: 'a' },
        {
          approvalHook: logging(log, 'approval'),
          hooks: { PreToolUse: [() => ({ action: 'modify', input })] },
        },
      );
      assert.deepEqual({ outcome: told.outcome, content: told.content }, { outcome: 'failed', content: error });
      assert.ok(!log.some((line) => line.startsWith('approval') || line.startsWith('run')));
    }
  });

  it('allow may narrow the plan, and exactly that plan runs', async () => {
    const log: string[] = [];
    const told = await callWrite(log, { path: 'a' }, { approvalHook: () => ({ action: 'allow', plan: 'half of a' }) });
    assert.equal(told.content, 'wrote half of a');
    assert.deepEqual(log, ['prepare a', 'run half of a']);
  });

  it('deny stops: the model is told that nothing was changed, and why', async () => {
    const log: string[] = [];
    const told = await callWrite(
      log,
      { path: 'a' },
      {
        approvalHook: logging(log, 'approval'),
        hooks: { PreToolUse: [() => ({ action: 'deny', reason: 'Not on Fridays.' })] },
      },
    );
    assert.deepEqual(told, {
      outcome: 'denied',
      content: 'The call was denied. Nothing was changed. Reason: Not on Fridays.',
      input: { path: 'a', times: 1 },
    });
    assert.deepEqual(log, ['prepare a']);
  });

  for (const [what, hook] of [
    ['throws', () => assert.fail('broken')],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['answers for another event', (() => ({ action: 'modifyPrompt', prompt: 'x' })) as unknown as PreToolUseHook],
  ] satisfies [string, PreToolUseHook][]) {
    it(`a hook that ${what} denies`, async () => {
      const log: string[] = [];
      const told = await callWrite(log, { path: 'a' }, { approvalHook: hook });
      assert.equal(told.outcome, 'denied');
      assert.deepEqual(log, ['prepare a']);
    });
  }

  it('are not asked about a call that is invalid, unknown or cannot be prepared', async () => {
    const asked: string[] = [];
    const { client } = scriptedClient(
      [
        response([toolUse('c1', 'write', {}), toolUse('c2', 'nothing'), toolUse('c3', 'write', { path: 'missing' })]),
        textResponse('ok'),
      ],
      { tools: [loggedTool([])], approvalHook: ({ toolUseId }) => void asked.push(toolUseId) },
    );
    await record(client.run('go'));
    assert.deepEqual(asked, []);
  });

  it('see each call after the one before it has run', async () => {
    const log: string[] = [];
    const calls = [toolUse('c1', 'write', { path: 'a' }), toolUse('c2', 'write', { path: 'b' })];
    const { client } = scriptedClient([response(calls), textResponse('ok')], { tools: [loggedTool(log)] });
    await record(client.run('go'));
    assert.deepEqual(log, ['prepare a', 'run a x1', 'prepare b', 'run b x1']);
  });
});

describe('PostToolUse hooks', () => {
  it("get each tool that ran, with the model's result", async () => {
    const heard: unknown[] = [];
    const { client } = scriptedClient(
      [response([toolUse('c1', 'write', { path: 'a' }), toolUse('c2', 'nothing')]), textResponse('ok')],
      { tools: [loggedTool([])], hooks: { PostToolUse: [(event) => void heard.push(event)] } },
    );
    await record(client.run('go'));
    assert.deepEqual(heard, [
      {
        type: 'PostToolUse',
        toolName: 'write',
        toolUseId: 'c1',
        input: { path: 'a', times: 1 },
        outcome: 'succeeded',
        result: { type: 'tool_result', toolUseId: 'c1', toolName: 'write', content: 'wrote a x1', isError: false },
      },
    ]);
  });

  it('that throw become warnings, and the others are still called', async () => {
    const heard: string[] = [];
    const hooks = { PostToolUse: [() => assert.fail('broken'), () => void heard.push('second')] };
    const { client } = scriptedClient([response([toolUse('c1', 'write', { path: 'a' })]), textResponse('ok')], {
      tools: [loggedTool([])],
      hooks,
    });
    const { events, result } = await record(client.run('go'));
    assert.deepEqual(
      events.filter(({ type }) => type === 'warning'),
      [{ type: 'warning', code: 'hook_failed', message: 'A PostToolUse hook failed after write: broken' }],
    );
    assert.deepEqual(heard, ['second']);
    assert.equal(result.outcome, 'completed');
  });
});

describe('UserPromptSubmit hooks', () => {
  it('are called once for each prompt, not for continuations, and may replace the text', async () => {
    const prompts: string[] = [];
    const { client } = scriptedClient([response([toolUse('c1', 'write', { path: 'a' })]), textResponse('ok')], {
      tools: [loggedTool([])],
      hooks: {
        UserPromptSubmit: [
          ({ prompt }) => {
            prompts.push(prompt);
            return { action: 'modifyPrompt', prompt: `${prompt}!` };
          },
          ({ prompt }) => void prompts.push(prompt),
        ],
      },
    });
    await record(client.run('go'));
    assert.deepEqual(prompts, ['go', 'go!']);
    assert.deepEqual(client.history[0], { role: 'user', content: 'go!' });
  });

  for (const [what, hook] of [
    ['denies', () => ({ action: 'deny', reason: 'it holds a secret' }) as const],
    ['throws', () => assert.fail('it holds a secret')],
  ] as const) {
    it(`one that ${what} keeps the prompt out of history and off the wire`, async () => {
      const options = { hooks: { UserPromptSubmit: [hook] } };
      const { client, provider } = scriptedClient([], options);
      const { events, result } = await record(client.run('key=123'));
      assert.deepEqual(
        events.map(({ type }) => type),
        ['run_start', 'run_end'],
      );
      assert.match(result.error?.message ?? '', /^The prompt was denied and not sent\. Reason: .*it holds a secret$/);
      await assert.rejects(client.query('key=123'), /The prompt was denied/);
      await assert.rejects(collect(client.receiveMessages()), /call query first/);
      assert.deepEqual([client.history, provider.requests, client.turnMetadata], [[], [], { turnCount: 0 }]);
    });
  }
});
