import assert from 'node:assert/strict';
import type { AgentOptions } from '../../../../../src/sdk/configuration/agentOptions';
import type { AgentEvent } from '../../../../../src/sdk/events';
import type { PreToolUseDecision } from '../../../../../src/sdk/hooks';
import { contentToText, tool, type Tool, type ToolContext } from '../../../../../src/sdk/tool';
import { record, scriptedClient } from '../../../../support/sessions/clients';
import { response, textResponse, toolUse } from '../../../../support/servers/scriptedProvider';

/** Calls that run until the test ends them. */
class Gates {
  readonly log: string[] = [];
  readonly #ends = new Map<string, (result: string) => void>();
  readonly #fails = new Map<string, (error: Error) => void>();
  readonly #starts = new Map<string, () => void>();

  /** Runs until `end` or `fail`, or until it is aborted. */
  async run(id: string, { signal, progress }: ToolContext): Promise<string> {
    this.log.push(`start ${id}`);
    const ended = new Promise<string>((resolve, reject) => {
      this.#ends.set(id, resolve);
      this.#fails.set(id, reject);
      signal.addEventListener('abort', () => reject(new Error(`${id} was told to stop`)));
    });
    this.#starts.get(id)?.();
    progress(`${id} runs`);
    return ended;
  }

  started(id: string): Promise<void> {
    if (this.#ends.has(id)) return Promise.resolve();
    return new Promise((resolve) => this.#starts.set(id, resolve));
  }

  end(id: string): void {
    this.log.push(`end ${id}`);
    this.#ends.get(id)?.(`result of ${id}`);
  }

  fail(id: string): void {
    this.log.push(`fail ${id}`);
    this.#fails.get(id)?.(new Error(`${id} broke`));
  }

  tool(name: string, parallel: boolean): Tool {
    return tool(name, 'Work', { id: 'string' }, ({ id }, context) => this.run(id, context), { parallel });
  }
}

function start(gates: Gates, ids: readonly string[], options: Partial<AgentOptions> = {}) {
  // Ids that begin with "=" are calls of a tool that runs alone.
  const calls = ids.map((id) => toolUse(id, id.startsWith('=') ? 'alone' : 'aside', { id }));
  const { client, provider } = scriptedClient([response(calls), textResponse('ok')], {
    tools: [gates.tool('aside', true), gates.tool('alone', false)],
    ...options,
  });
  return { client, provider, ended: record(client.run('go')) };
}

function resultsIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'tool_execution_end'
      ? [`${event.toolUseId} ${event.outcome}: ${contentToText(event.result.content)}`]
      : [],
  );
}

describe('calls of tools that may run side by side', () => {
  it('run at the same time, and their results keep the order of the calls', async () => {
    const gates = new Gates();
    const { client, ended } = start(gates, ['a', 'b', 'c']);
    for (const id of ['a', 'b', 'c']) await gates.started(id);
    for (const id of ['c', 'b', 'a']) gates.end(id);
    const { events } = await ended;
    assert.deepEqual(gates.log, ['start a', 'start b', 'start c', 'end c', 'end b', 'end a']);
    const results = ['a succeeded: result of a', 'b succeeded: result of b', 'c succeeded: result of c'];
    assert.deepEqual(resultsIn(events), results);
    assert.deepEqual(
      client.history.flatMap(({ content }) => (typeof content === 'object' && 'toolUseId' in content ? [content] : [])),
      ['a', 'b', 'c'].map((id) => ({
        type: 'tool_result',
        toolUseId: id,
        toolName: 'aside',
        content: `result of ${id}`,
        isError: false,
      })),
    );
  });

  it('wait for a call between them that must be alone', async () => {
    const gates = new Gates();
    const { ended } = start(gates, ['a', 'b', '=', 'c', 'd']);
    await gates.started('a');
    await gates.started('b');
    gates.end('b');
    gates.end('a');
    await gates.started('=');
    gates.end('=');
    await gates.started('c');
    await gates.started('d');
    gates.end('c');
    gates.end('d');
    await ended;
    const order = ['start a', 'start b', 'end b', 'end a', 'start =', 'end =', 'start c', 'start d', 'end c', 'end d'];
    assert.deepEqual(gates.log, order);
  });

  it('are put to the hooks one after the other, while those before run', async () => {
    const gates = new Gates();
    const answers = new Map<string, (decision: PreToolUseDecision) => void>();
    const isAsked = new Map<string, () => void>();
    const asked = (id: string): Promise<void> => {
      if (answers.has(id)) return Promise.resolve();
      return new Promise((resolve) => isAsked.set(id, resolve));
    };
    const { ended } = start(gates, ['a', 'b', 'c'], {
      approvalHook: ({ toolUseId }) => {
        gates.log.push(`ask ${toolUseId}`);
        return new Promise((resolve) => {
          answers.set(toolUseId, resolve);
          isAsked.get(toolUseId)?.();
        });
      },
    });
    await asked('a');
    answers.get('a')?.({ action: 'allow' });
    await asked('b');
    await gates.started('a');
    answers.get('b')?.({ action: 'deny', reason: 'no' });
    await asked('c');
    answers.get('c')?.({ action: 'allow' });
    await gates.started('c');
    gates.end('c');
    gates.end('a');
    const { events } = await ended;
    assert.deepEqual(gates.log, ['ask a', 'start a', 'ask b', 'ask c', 'start c', 'end c', 'end a']);
    assert.deepEqual(resultsIn(events), [
      'a succeeded: result of a',
      'b denied: The call was denied. Nothing was changed. Reason: no',
      'c succeeded: result of c',
    ]);
  });

  it('do not suffer from an error of one of them', async () => {
    const gates = new Gates();
    const { ended, provider } = start(gates, ['a', 'b', 'c']);
    for (const id of ['a', 'b', 'c']) await gates.started(id);
    gates.fail('b');
    gates.end('a');
    gates.end('c');
    const { events, result } = await ended;
    assert.deepEqual(resultsIn(events), ['a succeeded: result of a', 'b failed: b broke', 'c succeeded: result of c']);
    assert.equal(result.outcome, 'completed');
    assert.equal(provider.requests.length, 2);
  });

  it('all end with an interruption, and each has a result', async () => {
    const gates = new Gates();
    const { client, ended } = start(gates, ['a', 'b']);
    await gates.started('a');
    await gates.started('b');
    await client.interrupt();
    const { events, result } = await ended;
    assert.deepEqual(resultsIn(events), [
      'a interrupted: The user interrupted the run.\na was told to stop',
      'b interrupted: The user interrupted the run.\nb was told to stop',
    ]);
    assert.equal(result.outcome, 'interrupted');
  });

  it('are stopped one by one with cancelTool', async () => {
    const gates = new Gates();
    const { client, ended } = start(gates, ['a', 'b']);
    await gates.started('a');
    await gates.started('b');
    assert.equal(client.cancelTool('a'), true);
    gates.end('b');
    const { events, result } = await ended;
    assert.deepEqual(resultsIn(events), [
      'a interrupted: The user stopped this tool call.\na was told to stop',
      'b succeeded: result of b',
    ]);
    assert.equal(result.outcome, 'completed');
  });

  it('are at most eight at the same time', async () => {
    const gates = new Gates();
    const ids = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const { ended } = start(gates, ids);
    for (const id of ids.slice(0, 8)) await gates.started(id);
    assert.equal(gates.log.length, 8);
    gates.end('c3');
    await gates.started('c8');
    assert.deepEqual(gates.log.slice(8), ['end c3', 'start c8']);
    gates.end('c0');
    await gates.started('c9');
    for (const id of ids) gates.end(id);
    const { events } = await ended;
    assert.deepEqual(
      resultsIn(events),
      ids.map((id) => `${id} succeeded: result of ${id}`),
    );
  });

  it('tell their progress while others run', async () => {
    const gates = new Gates();
    const { ended } = start(gates, ['a', 'b']);
    await gates.started('a');
    await gates.started('b');
    gates.end('b');
    gates.end('a');
    const { events } = await ended;
    const told = events.flatMap((event) => (event.type === 'tool_execution_progress' ? [event.output] : []));
    assert.deepEqual(told, ['a runs', 'b runs']);
  });

  it('end the run when one repeats itself, with a result for each', async () => {
    const same = Array.from({ length: 6 }, (_, index) => toolUse(`s${index}`, 'same', {}));
    const { client } = scriptedClient([response(same.slice(0, 3)), response(same.slice(3)), textResponse('ok')], {
      tools: [tool('same', 'Same', {}, () => 'same', { parallel: true })],
      maxRepeatedCalls: 5,
    });
    const { events, result } = await record(client.run('go'));
    assert.equal(result.error?.code, 'loop_detected');
    assert.equal(events.filter(({ type }) => type === 'tool_execution_end').length, 6);
  });

  it('cannot touch something too', () => {
    const options = { parallel: true, touches: () => 'x' };
    assert.throws(() => tool('both', 'Both', {}, () => 'x', options), {
      code: 'invalid_options',
      message: 'Tool "both": use either parallel or touches. Calls that touch something run one after the other.',
    });
  });
});
