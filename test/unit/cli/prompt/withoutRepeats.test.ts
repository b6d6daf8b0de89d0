import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import { withoutRepeats } from '../../../../src/cli/prompt/withoutRepeats';
import type { AgentEvent, WarningCode } from '../../../../src/sdk/events';

const agent = (event: AgentEvent): SessionEvent => ({ type: 'agent', event, ts: 0 });
const warning = (message: string, code: WarningCode = 'server_quirk'): SessionEvent =>
  agent({ type: 'warning', code, message });
const failed = (message: string): SessionEvent => ({
  type: 'failed',
  error: { code: 'stream_broken', message },
  ts: 0,
});
const ended = (message?: string): SessionEvent =>
  agent({
    type: 'run_end',
    outcome: message === undefined ? 'completed' : 'error',
    ...(message !== undefined && { error: { code: 'stream_broken', message } }),
  });
const notice = (message: string): SessionEvent => ({
  type: 'notice',
  notice: { id: 'n', severity: 'warning', message, actions: [] },
  ts: 0,
});
const start = agent({ type: 'run_start', prompt: 'Go.' });
const stepEnd = agent({ type: 'step_end', step: 0, stopReason: 'incomplete' });

function shown(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const seen: SessionEvent[] = [];
  const show = withoutRepeats((event) => seen.push(event));
  for (const event of events) show(event);
  return seen;
}

describe('events without repeats', () => {
  it('have no notice that repeats a warning or a failure, and every other notice', () => {
    const events = [start, warning('a'), notice('a'), notice('b'), ended('c'), failed('c'), notice('c')];
    assert.deepEqual(shown(events), [start, warning('a'), notice('b'), ended('c'), failed('c')]);
    assert.deepEqual(shown([start, warning('a'), start, notice('a')]), [start, warning('a'), start, notice('a')]);
  });

  it('have the error of a run instead of the warning about its cut answer', () => {
    const cut = warning('cut', 'incomplete_response');
    assert.deepEqual(shown([start, cut, stepEnd, ended('cut'), failed('cut')]), [
      start,
      stepEnd,
      ended('cut'),
      failed('cut'),
    ]);
    assert.deepEqual(shown([start, cut, stepEnd, ended('other'), failed('other')]), [
      start,
      stepEnd,
      cut,
      ended('other'),
      failed('other'),
    ]);
    assert.deepEqual(shown([start, cut, stepEnd, ended()]), [start, stepEnd, cut, ended()]);
    assert.deepEqual(shown([start, cut, warning('a')]), [start, cut, warning('a')]);
  });

  it('tell every message, and none by a notice that was told before', () => {
    const message = fc.constantFrom('a', 'b', 'c');
    const event = fc.oneof(
      message.map((text) => [warning(text)]),
      message.map((text) => [warning(text, 'incomplete_response'), stepEnd]),
      message.map((text) => [notice(text)]),
      fc.option(message).map((text) => (text === null ? [ended()] : [ended(text), failed(text)])),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (parts) => {
        const events = [start, ...parts.flat(), ended()];
        const seen = shown(events);
        const told = new Set<string>();
        for (const each of seen) {
          if (each.type === 'notice') assert.ok(!told.has(each.notice.message));
          else if (messageOf(each) !== undefined) told.add(messageOf(each) ?? '');
        }
        const messages = (list: readonly SessionEvent[]) => new Set(list.flatMap((each) => messageOf(each) ?? []));
        assert.deepEqual([...messages(seen)].toSorted(), [...messages(events)].toSorted());
      }),
    );
  });
});

function messageOf(event: SessionEvent): string | undefined {
  if (event.type === 'failed') return event.error.message;
  if (event.type === 'notice') return event.notice.message;
  return event.type === 'agent' && event.event.type === 'warning' ? event.event.message : undefined;
}
