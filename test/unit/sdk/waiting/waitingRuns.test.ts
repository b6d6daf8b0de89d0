import assert from 'node:assert/strict';
import type { AgentOptions } from '../../../../src/sdk/configuration/agentOptions';
import type { AgentEvent } from '../../../../src/sdk/events';
import type { PreToolUseHook } from '../../../../src/sdk/hooks';
import type { ContentBlock } from '../../../../src/sdk/messages';
import { contentToText, tool, type Tool } from '../../../../src/sdk/tool';
import type { WaitingAnswer } from '../../../../src/sdk/waiting/waitingAnswers';
import type { WaitingRun } from '../../../../src/sdk/waiting/waitingRun';
import { collect, record, scriptedClient } from '../../../support/sessions/clients';
import { response, textResponse, toolUse, type Script } from '../../../support/servers/scriptedProvider';

const wait: PreToolUseHook = () => ({ action: 'wait' });

/** Transfers money. The plan has the balance, so it changes with the world. */
class Bank {
  balance = 100;
  readonly log: string[] = [];

  get tools(): readonly Tool[] {
    return [
      tool(
        'transfer',
        'Transfer',
        { to: 'string', amount: 'number' },
        {
          prepare: ({ to, amount }) => ({ ok: true, plan: { to, amount, balanceBefore: this.balance } }),
          run: ({ to, amount }: { to: string; amount: number }) => {
            this.balance -= amount;
            this.log.push(`${amount} to ${to}`);
            return `Transferred. ${this.balance} are left.`;
          },
        },
      ),
      tool('look', 'Look', {}, () => {
        this.log.push('look');
        return `${this.balance}`;
      }),
    ];
  }

  client(scripts: readonly Script[], options: Partial<AgentOptions> = {}) {
    const approvalHook: PreToolUseHook = (event) => (event.toolName === 'transfer' ? wait(event) : undefined);
    return scriptedClient(scripts, { tools: this.tools, approvalHook, ...options });
  }

  /** Runs until it waits. Returns what another process would read. */
  async saved(scripts: readonly Script[], options: Partial<AgentOptions> = {}): Promise<WaitingRun> {
    const { result } = await record(this.client(scripts, options).client.run('Pay Ada 30.'));
    assert.equal(result.outcome, 'waiting');
    return JSON.parse(JSON.stringify(result.waiting)) as WaitingRun;
  }
}

const pay = (id: string, to: string, amount: number) => toolUse(id, 'transfer', { to, amount });
const payAda = response([pay('c1', 'Ada', 30)]);

function allowAll({ calls }: WaitingRun): readonly WaitingAnswer[] {
  return calls.map(({ toolUseId, planHash }) => ({ action: 'allow', toolUseId, planHash }));
}

function resultsIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'tool_execution_end'
      ? [`${event.toolUseId} ${event.outcome}: ${contentToText(event.result.content)}`]
      : [],
  );
}

describe('a run whose hook waits for an answer', () => {
  it('ends with what is needed to decide, as plain JSON, and executes nothing', async () => {
    const bank = new Bank();
    const { client, provider } = bank.client([payAda]);
    const { events, result } = await record(client.run('Pay Ada 30.'));
    assert.deepEqual([result.outcome, result.hasError, bank.log], ['waiting', false, []]);
    const [call] = result.waiting?.calls ?? [];
    assert.match(call?.planHash ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(result.waiting, {
      format: 'open-agent-waiting-run',
      version: 1,
      calls: [
        {
          toolUseId: 'c1',
          toolName: 'transfer',
          input: { to: 'Ada', amount: 30 },
          plan: { to: 'Ada', amount: 30, balanceBefore: 100 },
          planHash: call?.planHash,
        },
      ],
      history: [
        { role: 'user', content: 'Pay Ada 30.' },
        { role: 'assistant', content: [pay('c1', 'Ada', 30)], stopReason: 'tool_use' },
      ],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(result.waiting)), result.waiting);
    assert.deepEqual(client.waiting, result.waiting);
    assert.deepEqual(events.at(-1), { type: 'run_end', outcome: 'waiting', waiting: result.waiting?.calls });
    assert.equal(provider.requests.length, 1);
  });

  it('goes on in another client when it is allowed', async () => {
    const saved = await new Bank().saved([payAda]);
    const bank = new Bank();
    const { client, provider } = bank.client([textResponse('Paid.')]);
    const { events, result } = await record(client.resumeRun(JSON.stringify(saved), allowAll(saved)));
    assert.deepEqual(bank.log, ['30 to Ada']);
    assert.deepEqual(
      [result.outcome, result.primaryText, result.waiting, client.waiting],
      ['completed', 'Paid.', undefined, undefined],
    );
    assert.deepEqual(resultsIn(events), ['c1 succeeded: Transferred. 70 are left.']);
    assert.deepEqual(
      provider.requests[0]?.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => /^(run|step)_/.test(type)),
      ['run_start', 'step_start', 'step_end', 'step_start', 'step_end', 'run_end'],
    );
    assert.deepEqual(result.toolUses, [pay('c1', 'Ada', 30)]);
  });

  it('tells the model of a denial, whatever the hooks say now', async () => {
    const saved = await new Bank().saved([payAda]);
    const bank = new Bank();
    const { client } = bank.client([textResponse('Then not.')], { approvalHook: () => ({ action: 'allow' }) });
    const answers: readonly WaitingAnswer[] = [{ action: 'deny', toolUseId: 'c1', reason: 'too much' }];
    const { events, result } = await record(client.resumeRun(saved, answers));
    assert.deepEqual([bank.log, result.outcome], [[], 'completed']);
    assert.deepEqual(resultsIn(events), ['c1 denied: The call was denied. Nothing was changed. Reason: too much']);
  });

  it('waits again without an answer, and when the plan is another one than the person saw', async () => {
    const saved = await new Bank().saved([payAda]);
    for (const [balance, answers] of [
      [100, []],
      [99, allowAll(saved)],
      [100, [{ action: 'allow', toolUseId: 'c1', planHash: '0'.repeat(64) }]],
    ] as const) {
      const bank = new Bank();
      bank.balance = balance;
      const { result } = await record(bank.client([]).client.resumeRun(saved, answers));
      assert.deepEqual([result.outcome, bank.log], ['waiting', []]);
      assert.deepEqual(result.waiting?.calls[0]?.plan, { to: 'Ada', amount: 30, balanceBefore: balance });
      assert.equal(result.waiting?.calls[0]?.planHash === saved.calls[0]?.planHash, balance === 100);
    }
  });

  it('asks the hooks again: one that denies now is stronger than the answer', async () => {
    const saved = await new Bank().saved([payAda]);
    const deny: PreToolUseHook = () => ({ action: 'deny', reason: 'a rule forbids it' });
    const others = { PreToolUse: [deny] };
    for (const options of [{ hooks: others }, { hooks: { PreToolUse: [wait, deny] }, approvalHook: undefined }]) {
      const bank = new Bank();
      const { client } = bank.client([textResponse('No.')], options);
      const { events } = await record(client.resumeRun(saved, allowAll(saved)));
      const denied = 'c1 denied: The call was denied. Nothing was changed. Reason: a rule forbids it';
      assert.deepEqual([resultsIn(events), bank.log], [[denied], []]);
    }
  });

  it('waits for the arguments that an earlier hook left', async () => {
    const modify: PreToolUseHook = ({ input }) => ({ action: 'modify', input: { ...input, amount: 5 } });
    const options = { hooks: { PreToolUse: [modify] } };
    const saved = await new Bank().saved([payAda], options);
    assert.deepEqual(saved.calls[0]?.plan, { to: 'Ada', amount: 5, balanceBefore: 100 });
    const bank = new Bank();
    await record(bank.client([textResponse('Paid.')], options).client.resumeRun(saved, allowAll(saved)));
    assert.deepEqual(bank.log, ['5 to Ada']);
  });

  it('denies what a later hook makes out of a call that was allowed', async () => {
    const more = { to: 'Mallory', amount: 90 };
    const later: readonly (readonly [PreToolUseHook, readonly string[]])[] = [
      [() => ({ action: 'modify', input: more }), []],
      [() => ({ action: 'allow', plan: { ...more, balanceBefore: 100 } }), []],
      // Nothing else than what was allowed.
      [({ input }) => ({ action: 'modify', input }), ['30 to Ada']],
      [({ plan }) => ({ action: 'allow', plan }), ['30 to Ada']],
    ];
    for (const [hook, log] of later) {
      const options = { hooks: { PreToolUse: [wait, hook] }, approvalHook: undefined };
      const saved = await new Bank().saved([payAda], options);
      const bank = new Bank();
      const { client } = bank.client([textResponse('ok')], options);
      const { events } = await record(client.resumeRun(saved, allowAll(saved)));
      assert.deepEqual(bank.log, log);
      if (log.length > 0) continue;
      assert.match(resultsIn(events).join(), /^c1 denied: .*a PreToolUse hook changed the call after it was allowed$/);
    }
  });

  it('uses an answer for its call only, not for a later one that looks the same', async () => {
    const saved = await new Bank().saved([payAda]);
    const bank = new Bank();
    const { client } = bank.client([payAda]);
    // The plan of the second call is the same too.
    const { result } = await record(client.resumeRun(saved, allowAll(saved)), (event) => {
      if (event.type === 'tool_execution_end') bank.balance = 100;
    });
    assert.deepEqual([bank.log, result.outcome], [['30 to Ada'], 'waiting']);
    assert.deepEqual(result.waiting?.calls, saved.calls);
  });

  it('keeps the results of the calls before, and decides those after it when it is resumed', async () => {
    const first = new Bank();
    const calls = [toolUse('l1', 'look'), pay('c1', 'Ada', 30), toolUse('l2', 'look'), pay('c2', 'Bob', 1)];
    const saved = await first.saved([response(calls)]);
    assert.deepEqual(first.log, ['look']);
    assert.deepEqual(
      saved.calls.map(({ toolUseId }) => toolUseId),
      ['c1'],
    );
    assert.equal(saved.history.length, 3);

    const second = new Bank();
    const again = await record(second.client([]).client.resumeRun(saved, allowAll(saved)));
    assert.deepEqual(second.log, ['30 to Ada', 'look']);
    assert.deepEqual(
      again.result.waiting?.calls.map(({ toolUseId }) => toolUseId),
      ['c2'],
    );

    const third = new Bank();
    third.balance = 70;
    const { waiting } = again.result;
    assert.ok(waiting);
    const { result } = await record(third.client([textResponse('Paid.')]).client.resumeRun(waiting, allowAll(waiting)));
    assert.deepEqual([third.log, result.outcome], [['1 to Bob'], 'completed']);
    assert.deepEqual(
      result.conversation.flatMap(({ role, content }) => (role === 'tool' ? [content.toolUseId] : [])),
      ['l1', 'c1', 'l2', 'c2'],
    );
  });

  for (const options of [{ touches: (plan: unknown) => String(plan) }, { parallel: true }]) {
    it(`names all calls that can be decided together: ${Object.keys(options).join()}`, async () => {
      const log: string[] = [];
      const write = (): Tool =>
        tool(
          'write',
          'Write',
          { path: 'string' },
          {
            prepare: ({ path }) => ({ ok: true, plan: path }),
            run: (path) => {
              log.push(String(path));
              return `wrote ${String(path)}`;
            },
          },
          options,
        );
      const hook: PreToolUseHook = ({ plan }) => {
        if (plan === 'free') return { action: 'allow' };
        return plan === 'never' ? { action: 'deny', reason: 'no' } : { action: 'wait' };
      };
      const paths = ['free', 'b', 'never', 'd'];
      const calls = paths.map((path) => toolUse(path, 'write', { path }));
      const { client } = scriptedClient([response(calls)], { tools: [write()], approvalHook: hook });
      const { result } = await record(client.run('go'));
      const { waiting } = result;
      assert.ok(waiting);
      assert.deepEqual([log, waiting.calls.map(({ toolUseId }) => toolUseId)], [['free'], ['b', 'd']]);

      const other = scriptedClient([textResponse('ok')], { tools: [write()], approvalHook: hook });
      const { events } = await record(other.client.resumeRun(waiting, allowAll(waiting)));
      assert.deepEqual(log, ['free', 'b', 'd']);
      assert.deepEqual(resultsIn(events), [
        'b succeeded: wrote b',
        'never denied: The call was denied. Nothing was changed. Reason: no',
        'd succeeded: wrote d',
      ]);
    });
  }

  it('asks about reading and then about the plan', async () => {
    const edit = tool(
      'edit',
      'Edit',
      {},
      {
        prepare: () => ({ ok: true, reading: 'notes', planAfterReading: async () => ({ ok: true, plan: 'notes' }) }),
        run: () => 'edited',
      },
    );
    const options = { tools: [edit], approvalHook: wait };
    const { result } = await record(
      scriptedClient([response([toolUse('c1', 'edit')])], options).client.run('Edit the notes.'),
    );
    const reading = result.waiting;
    assert.ok(reading?.calls[0]?.isReading);
    // The plan is the same, but the answer was about reading it.
    const { result: next } = await record(scriptedClient([], options).client.resumeRun(reading, allowAll(reading)));
    const planned = next.waiting;
    assert.ok(planned && !('isReading' in (planned.calls[0] ?? {})));
    assert.notEqual(planned.calls[0]?.planHash, reading.calls[0]?.planHash);
  });

  it('ends with a block for readers of blocks, and answers its calls when the conversation goes on without them', async () => {
    const { client } = new Bank().client([payAda, textResponse('Hello.')]);
    await client.query('Pay Ada 30.');
    const blocks: ContentBlock[] = await collect(client.receiveMessages());
    assert.deepEqual(blocks, [pay('c1', 'Ada', 30), { type: 'waiting', calls: client.waiting?.calls }]);
    await client.query('Forget it.');
    assert.deepEqual(await collect(client.receiveMessages()), [{ type: 'text', text: 'Hello.' }]);
    assert.equal(client.waiting, undefined);
    assert.deepEqual(
      client.history.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'],
    );
  });

  it('waits no longer after an interruption', async () => {
    const { client } = new Bank().client([payAda]);
    await record(client.run('Pay Ada 30.'));
    await client.interrupt();
    assert.equal(client.waiting, undefined);
    assert.equal(client.history.at(-1)?.role, 'tool');
  });

  it('is interrupted as any other while calls that belong together are still asked about', async () => {
    const write = tool('write', 'Write', { path: 'string' }, () => 'wrote', { parallel: true });
    const calls = ['a', 'b'].map((path) => toolUse(path, 'write', { path }));
    const { client } = scriptedClient([response(calls)], {
      tools: [write],
      approvalHook: ({ input }) => {
        if (input['path'] === 'a') return { action: 'wait' };
        void client.interrupt();
        return new Promise(() => {});
      },
    });
    const { events, result } = await record(client.run('go'));
    assert.deepEqual([result.outcome, result.waiting, client.waiting], ['interrupted', undefined, undefined]);
    const why = 'The user interrupted the run. The call was not executed and nothing was changed.';
    assert.deepEqual(resultsIn(events), [`a interrupted: ${why}`, `b interrupted: ${why}`]);
  });

  it('denies a call whose plan is not plain JSON, because no answer could be checked', async () => {
    const plans: readonly (readonly [unknown, string])[] = [
      [new Map(), 'it holds an object of a class'],
      [{ run: () => 1 }, 'it holds a value of type function'],
      [{ amount: Number.NaN }, 'it holds the number NaN'],
      [
        {
          get amount() {
            return 1;
          },
        },
        'it holds the field amount, which JSON cannot hold',
      ],
      ['x'.repeat(4_000_001), 'it has more than 4000000 characters'],
    ];
    for (const [plan, why] of plans) {
      const odd = tool('odd', 'Odd', {}, { prepare: () => ({ ok: true, plan }), run: () => 'ran' });
      const scripts = [response([toolUse('c1', 'odd')]), textResponse('ok')];
      const { client } = scriptedClient(scripts, { tools: [odd], approvalHook: wait });
      const { events } = await record(client.run('go'));
      assert.deepEqual(resultsIn(events), [
        `c1 denied: The call was denied. Nothing was changed. Reason: a PreToolUse hook waits for an answer, but its plan cannot be saved, because ${why}`,
      ]);
    }
  });

  it('is not possible in manual mode: the call is denied', async () => {
    const { client } = new Bank().client([payAda], { autoExecuteTools: false });
    await client.query('Pay Ada 30.');
    const [block] = await collect(client.receiveMessages());
    assert.ok(block?.type === 'tool_use_error');
    assert.match(block.error, /which only automatic runs can\.$/);
    await assert.rejects(record(client.resumeRun({})), { code: 'invalid_state' });
  });

  it('refuses answers that cannot be meant', async () => {
    const saved = await new Bank().saved([payAda]);
    const [allow] = allowAll(saved);
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [[{ ...allow, toolUseId: 'c2' }], /no call "c2" waits/],
      [[allow, { action: 'deny', toolUseId: 'c1' }], /there are two for the call "c1"/],
      [[{ ...allow, action: 'yes' }], /0\.action/],
      [[{ action: 'allow', toolUseId: 'c1' }], /0\.planHash/],
      [[{ ...allow, plan: {} }], /plan/],
      ['allow', /expected array/],
    ];
    for (const [answers, message] of wrong) {
      const bank = new Bank();
      const resumed = bank.client([]).client.resumeRun(saved, answers as readonly WaitingAnswer[]);
      await assert.rejects(record(resumed), { code: 'invalid_options', message });
      assert.deepEqual(bank.log, []);
    }
  });
});
