import assert from 'node:assert/strict';
import { createToolRegistry } from '../../../src/sdk/run/toolCalls/toolRegistry';
import { executeCall, prepareCall, type ToolExecution } from '../../../src/sdk/run/toolCalls/toolRunner';
import { limitTime, MAX_TIMEOUT_MS } from '../../../src/sdk/timeLimit';
import { tool, type Tool, type ToolFunction, type ToolOutput } from '../../../src/sdk/tool';
import type { JsonObject } from '../../../src/util/json';
import { ManualSchedule } from '../../support/manualSchedule';
import { toolUse } from '../../support/servers/scriptedProvider';

const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

/** Runs one call. `stop` is the stop of a person. */
async function execute(
  work: ToolFunction<JsonObject>,
  clock: ManualSchedule,
  stop = new AbortController(),
): Promise<ToolExecution> {
  const slow = tool('look', 'Look', {}, work, { timeoutMs: 5_000 });
  const parts = {
    registry: createToolRegistry([slow]),
    preToolUse: [],
    postToolUse: [],
    stopGraceMs: 2_500,
    setTimer: clock.schedule,
  };
  const call = toolUse('c1', 'look');
  const ready = await prepareCall(parts, call, stop.signal);
  assert.ok(ready.ok);
  return executeCall(parts, call, ready, {
    signal: stop.signal,
    runSignal: new AbortController().signal,
    progress: () => {},
    toContent: ({ content }: ToolOutput) => content,
  });
}

describe('the time limit of a tool', () => {
  it('aborts its signal with a TimeoutError, and the call has failed with what the tool said', async () => {
    const clock = new ManualSchedule();
    let reason: unknown;
    const executed = execute(async (_input, { signal }) => {
      const stopped = untilStopped(signal);
      assert.deepEqual(clock.delays, [5_000]);
      clock.run();
      await stopped;
      reason = signal.reason;
      return 'Read 3 of 9 pages.';
    }, clock);
    const { outcome, result } = await executed;
    assert.equal(outcome, 'failed');
    assert.equal(result.isError, true);
    assert.equal(result.content, 'look took longer than its limit of 5 s and was stopped.\nRead 3 of 9 pages.');
    assert.ok(reason instanceof DOMException);
    assert.equal(reason.name, 'TimeoutError');
  });

  it('adds nothing when the tool throws the reason', async () => {
    const clock = new ManualSchedule();
    const { outcome, result } = await execute(async (_input, { signal }) => {
      clock.run();
      signal.throwIfAborted();
    }, clock);
    assert.equal(outcome, 'failed');
    const content = 'look took longer than its limit of 5 s and was stopped. It may have taken effect in part.';
    assert.equal(result.content, content);
  });

  it('leaves no timer when the tool ends in time', async () => {
    const clock = new ManualSchedule();
    const { outcome, result } = await execute(() => 'done', clock);
    assert.deepEqual([outcome, result.content, clock.delays], ['succeeded', 'done', []]);
  });

  it('is not the reason when a person has stopped the call', async () => {
    const clock = new ManualSchedule();
    const stop = new AbortController();
    const { outcome } = await execute(
      () => {
        stop.abort();
        clock.run();
        return new Promise(() => {});
      },
      clock,
      stop,
    );
    assert.equal(outcome, 'interrupted');
  });

  it('does not count the wait for other calls', async () => {
    const clock = new ManualSchedule();
    let goOn = (): void => {};
    const released = new Promise<void>((resolve) => (goOn = resolve));
    const { signal } = new AbortController();
    const context = { signal, waitForGroup: () => released };
    const limited = limitTime({ name: 'edit', timeoutMs: 700 }, context, clock.schedule);
    const waiting = limited.context.waitForGroup();
    assert.deepEqual(clock.delays, []);
    goOn();
    await waiting;
    assert.deepEqual(clock.delays, [700]);
    clock.run();
    assert.equal(limited.isOver(), true);
  });

  it('also holds for execute', async () => {
    const deaf = tool('deaf', 'Ignores its signal', {}, () => new Promise(() => {}), { timeoutMs: 1 });
    await assert.rejects(deaf.execute({}), {
      name: 'TimeoutError',
      message: 'deaf took longer than its limit of 0.001 s and was stopped.',
    });
    const quick = tool('quick', 'Quick', {}, () => 'quick', { timeoutMs: MAX_TIMEOUT_MS });
    assert.equal(await quick.execute({}), 'quick');
  });

  for (const timeoutMs of [0, -1, Number.NaN, Infinity, MAX_TIMEOUT_MS + 1]) {
    it(`cannot be ${timeoutMs} ms`, () => {
      const make = (): Tool => tool('look', 'Look', {}, () => 'x', { timeoutMs });
      assert.throws(make, { code: 'invalid_options', message: /^Tool "look": timeoutMs must be more than 0/ });
    });
  }
});
