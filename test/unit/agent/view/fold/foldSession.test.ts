import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../../src/sdk/events';
import { emptyView, foldSession } from '../../../../../src/agent/view/fold/foldSession';
import { MAX_LIVE_OUTPUT } from '../../../../../src/agent/view/fold/foldTools';
import type { SessionEvent } from '../../../../../src/agent/view/sessionEvents';
import type { SessionNotice, SessionView } from '../../../../../src/agent/view/sessionView';
import { outline } from '../../../../support/sessions/sessions';

function fold(events: readonly (SessionEvent | AgentEvent)[], view = emptyView('s')): SessionView {
  return events
    .map((event, ts): SessionEvent => ('ts' in event ? event : { type: 'agent', event, ts }))
    .reduce(foldSession, view);
}

function prompt(id: string): SessionEvent {
  return { type: 'prompt_added', id, text: id, contextLabels: [], ts: 0 };
}

function notice(id: string): SessionEvent {
  const content: SessionNotice = { id, severity: 'info', message: id, actions: [] };
  return { type: 'notice', notice: content, ts: 0 };
}

const step: AgentEvent = { type: 'step_start', step: 0 };
const isRunning: SessionEvent = { type: 'state_changed', state: 'running', ts: 0 };

function text(block: number, delta: string): AgentEvent {
  return { type: 'text_delta', block, text: delta };
}

function message(content: Extract<AgentEvent, { type: 'assistant_message' }>['message']['content']): AgentEvent {
  return { type: 'assistant_message', message: { role: 'assistant', content }, responseId: 'r', model: 'm' };
}

const call = { type: 'tool_use', id: 'c', name: 'run', input: { command: 'ls' } } as const;
const called = fold([prompt('p'), step, message([call])]);

describe('foldSession', () => {
  it('keeps the identity of what did not change', () => {
    const before = fold([prompt('p'), step, message([{ type: 'text', text: 'One.' }]), step, text(0, 'Tw')]);
    const after = fold([text(0, 'o.')], before);
    assert.equal(after.items[0], before.items[0]);
    assert.equal(after.items[1], before.items[1]);
    assert.notEqual(after.items[2], before.items[2]);
    assert.deepEqual(outline(before), ['prompt: p', 'text: One.', 'text: Tw']);
    assert.deepEqual(outline(after), ['prompt: p', 'text: One.', 'text: Two.']);
  });

  it('keeps the item of a block that streamed to its end', () => {
    const streamed = fold([
      step,
      text(0, 'One.'),
      { type: 'block_end', block: 0, content: { type: 'text', text: 'One.' } },
    ]);
    const done = fold([message([{ type: 'text', text: 'One.' }])], streamed);
    assert.equal(done.items[0], streamed.items[0]);
  });

  it('shows that a request is made again, when and why, until it is', () => {
    const error = { code: 'connection', message: `Cannot reach it. ${'x'.repeat(300)}` } as const;
    const waiting = fold([isRunning, step, { type: 'retry', attempt: 2, maxRetries: 3, delayMs: 800, error }]);
    assert.deepEqual(waiting.activity, {
      status: 'connecting',
      detail: `${error.message.slice(0, 200)}…`,
      sinceMs: 2,
      retry: { attempt: 2, maxRetries: 3, untilMs: 802 },
    });
    const gone = { waitedMs: 4_000, longestMs: 60_000 };
    const absent = fold([
      isRunning,
      step,
      { type: 'retry', attempt: 3, maxRetries: 9, delayMs: 800, error: { code: 'connection', message: 'No.' }, gone },
    ]);
    assert.deepEqual(absent.activity, {
      status: 'connecting',
      detail: 'No.',
      sinceMs: 2 - 4_000,
      retry: { attempt: 3, maxRetries: 9, untilMs: 802, goneLongestMs: 60_000 },
    });
    const again = fold([{ type: 'status', status: 'connecting' }], waiting);
    assert.deepEqual(again.activity, { status: 'connecting', sinceMs: 0 });
  });

  it('shows an answer once that follows a dropped response with a call', () => {
    const begun: AgentEvent = { type: 'tool_use_start', block: 1, id: 'c', name: 'run' };
    const answer = message([{ type: 'text', text: 'Two.' }]);
    const view = fold([prompt('p'), step, text(0, 'One.'), begun, step, text(0, 'Two.'), answer]);
    assert.deepEqual(outline(view), ['prompt: p', 'text (incomplete): One.', 'text: Two.']);
  });

  it('keeps how full the context is, with the newest word on it', () => {
    const counted = fold([{ type: 'context', tokens: 900, isEstimate: false, window: 4096, ts: 0 }]);
    assert.deepEqual(counted.context, { tokens: 900, isEstimate: false, window: 4096 });
    const estimated = fold([{ type: 'context', tokens: 1200, isEstimate: true, ts: 1 }], counted);
    assert.deepEqual(estimated.context, { tokens: 1200, isEstimate: true });
  });

  it('changes nothing for events about what it does not know', () => {
    const result = { type: 'tool_result', toolUseId: 'x', content: '', isError: false } as const;
    const view = fold([
      { type: 'tool_use_delta', block: 0, id: 'x', argumentsDelta: '{' },
      { type: 'tool_execution_start', toolUseId: 'x', toolName: 'x', input: {} },
      { type: 'tool_execution_progress', toolUseId: 'x', output: 'x' },
      { type: 'tool_execution_end', toolUseId: 'x', outcome: 'succeeded', result },
      { type: 'approval_resolved', requestId: 'x', toolUseId: 'x', outcome: 'allowed', ts: 0 },
      { type: 'notice_dismissed', id: 'x', ts: 0 },
      message([{ type: 'text', text: 'outside of a step' }]),
    ]);
    assert.deepEqual(view, emptyView('s'));
  });

  it('shows the blocks of a response in their order, each with its own text', () => {
    const view = fold([
      step,
      { type: 'thinking_delta', block: 0, text: 'Hm' },
      text(1, 'A'),
      { type: 'tool_use_start', block: 2, id: 'c', name: 'run' },
      text(3, 'B'),
      text(1, 'a'),
      { type: 'tool_use_delta', block: 2, id: 'c', argumentsDelta: '{"comm' },
      text(3, 'b'),
    ]);
    assert.deepEqual(outline(view), ['thinking: Hm', 'text: Aa', 'run writing: ', 'text: Bb']);
    const [thinking, , tool] = view.items;
    assert.equal(thinking?.kind === 'thinking' && thinking.isStreaming, false);
    assert.equal(tool?.kind === 'tool' && tool.argumentsText, '{"comm');
  });

  it('keeps what the person says meanwhile below the answer that is streaming', () => {
    const view = fold([isRunning, step, text(0, 'Loo'), prompt('steer'), text(0, 'k'), text(1, 'More')]);
    assert.deepEqual(outline(view), ['text: Look', 'text: More', 'steer: steer']);
    assert.deepEqual(outline(fold([message([{ type: 'text', text: 'Look' }, call])], view)), [
      'text: Look',
      'run ready: ',
      'steer: steer',
    ]);
  });

  it('takes back a call that was only written, and marks the text that was cut off', () => {
    const cut = { role: 'assistant', content: [{ type: 'text', text: 'Wait' }], stopReason: 'incomplete' } as const;
    const start: AgentEvent = { type: 'tool_use_start', block: 1, id: 'c', name: 'run' };
    const view = fold([
      step,
      text(0, 'Wait'),
      start,
      { type: 'assistant_message', message: cut, responseId: '', model: '' },
    ]);
    assert.deepEqual(outline(view), ['text (incomplete): Wait']);
    const abandoned = fold([step, text(0, 'Wait'), start, { type: 'run_end', outcome: 'error' }]);
    assert.deepEqual(outline(abandoned), ['text (interrupted): Wait']);
  });

  it('keeps a question that comes before the message of its call', () => {
    const approval = {
      requestId: 'q',
      toolUseId: 'c',
      kind: 'command',
      reason: 'r',
      displayPath: '.',
      command: 'ls',
    } as const;
    const call = { type: 'tool_use', id: 'c', name: 'run', input: { command: 'ls' } } as const;
    const streamed = fold([
      step,
      { type: 'tool_use_start', block: 0, id: 'c', name: 'run' },
      { type: 'block_end', block: 0, content: call },
    ]);
    const asked = fold([{ type: 'approval_requested', approval, ts: 0 }], streamed);
    const message = { role: 'assistant', content: [call], stopReason: 'tool_use' } as const;
    const told = fold([{ type: 'assistant_message', message, responseId: '', model: '' }], asked);
    assert.deepEqual(told.items, asked.items);
  });

  it('follows what is decided about the hunks of an edit', () => {
    const approval = {
      requestId: 'q',
      toolUseId: 'c',
      kind: 'edit',
      reason: 'r',
      displayPath: 'a.ts',
      operation: 'edit',
      diff: '-a\n-b',
      addedLines: 0,
      removedLines: 2,
      hunks: [
        { diff: '-a', state: 'open' },
        { diff: '-b', state: 'open' },
      ],
    } as const;
    const asked = fold([{ type: 'approval_requested', approval, ts: 0 }], called);
    const change = { type: 'hunks_changed', toolUseId: 'c', states: ['rejected', 'accepted'], ts: 0 } as const;
    assert.deepEqual(fold([{ ...change, requestId: 'other' }], asked), asked);
    const decided = fold([{ ...change, requestId: 'q' }], asked);
    const item = decided.items.find(({ kind }) => kind === 'tool');
    assert.deepEqual(item?.kind === 'tool' && item.approval?.kind === 'edit' && item.approval.hunks, [
      { diff: '-a', state: 'rejected' },
      { diff: '-b', state: 'accepted' },
    ]);
  });

  it('follows a call through approval, output and end', () => {
    const approval = {
      requestId: 'q',
      toolUseId: 'c',
      kind: 'command',
      reason: 'r',
      displayPath: '.',
      command: 'ls',
    } as const;
    const asked = fold([{ type: 'approval_requested', approval, ts: 0 }], called);
    const other = fold(
      [{ type: 'approval_resolved', requestId: 'other', toolUseId: 'c', outcome: 'allowed', ts: 0 }],
      asked,
    );
    assert.deepEqual(other, asked);
    const allowed = fold(
      [{ type: 'approval_resolved', requestId: 'q', toolUseId: 'c', outcome: 'allowed', ts: 0 }],
      asked,
    );
    const begun = fold(
      [
        { type: 'tool_execution_start', toolUseId: 'c', toolName: 'run', input: { command: 'ls' } },
        { type: 'tool_execution_progress', toolUseId: 'c', output: 'out' },
        { type: 'tool_execution_progress', toolUseId: 'c', output: 'put' },
      ],
      allowed,
    );
    const result = { type: 'tool_result', toolUseId: 'c', content: { lines: 1 }, isError: false } as const;
    const ended = fold(
      [{ type: 'tool_execution_end', toolUseId: 'c', outcome: 'succeeded', result, display: { exitCode: 0 } }],
      begun,
    );
    assert.deepEqual(
      [asked, allowed, begun, ended].map(({ items }) => items[1]?.kind === 'tool' && items[1].state),
      ['awaiting_approval', 'ready', 'running', 'succeeded'],
    );
    assert.deepEqual(outline(begun)[1], 'run running: output');
    assert.deepEqual(ended.items[1], {
      kind: 'tool',
      id: 'c',
      toolName: 'run',
      state: 'succeeded',
      argumentsText: '',
      input: { command: 'ls' },
      approvalOutcome: 'allowed',
      liveOutput: '',
      result: '{\n  "lines": 1\n}',
      display: { exitCode: 0 },
      startedMs: 0,
      endedMs: 0,
    });
  });

  it('keeps the newest part of long output, never half a character', () => {
    const output: AgentEvent = { type: 'tool_execution_progress', toolUseId: 'c', output: `${'x'.repeat(30_000)}` };
    const smile: AgentEvent = {
      type: 'tool_execution_progress',
      toolUseId: 'c',
      output: `🙂${'y'.repeat(MAX_LIVE_OUTPUT - 1)}`,
    };
    const live = (view: SessionView): string => (view.items[1]?.kind === 'tool' ? view.items[1].liveOutput : '');
    assert.equal(live(fold([output], called)), 'x'.repeat(MAX_LIVE_OUTPUT));
    assert.equal(live(fold([output, smile], called)), 'y'.repeat(MAX_LIVE_OUTPUT - 1));
  });

  it('gives items the same ids whatever notices came and went', () => {
    const plain = fold([prompt('p'), step, text(0, 'a'), message([{ type: 'text', text: 'a' }]), step, text(0, 'b')]);
    const noticed = fold([
      notice('n1'),
      prompt('p'),
      step,
      text(0, 'a'),
      { type: 'notice_dismissed', id: 'n1', ts: 0 },
      text(0, ''),
      message([{ type: 'text', text: 'a' }]),
      notice('n2'),
      step,
      text(0, 'b'),
    ]);
    assert.deepEqual(
      noticed.items.filter(({ kind }) => kind !== 'notice').map(({ id }) => id),
      plain.items.map(({ id }) => id),
    );
  });

  it('shows since when the server does what it does', () => {
    const status = (value: 'connecting' | 'prefilling', ts: number): SessionEvent => ({
      type: 'agent',
      event: { type: 'status', status: value },
      ts,
    });
    const progress = { total: 10, processed: 4, cached: 2 };
    const view = fold([
      status('connecting', 5),
      status('prefilling', 7),
      status('prefilling', 9),
      { type: 'agent', event: { type: 'prompt_progress', progress }, ts: 11 },
    ]);
    assert.deepEqual(view.activity, { status: 'prefilling', sinceMs: 7, progress });
    assert.equal(fold([{ type: 'run_end', outcome: 'completed' }], view).activity, undefined);
  });

  it('shows a call that could not be read as failed', () => {
    const error = {
      type: 'tool_use_error',
      error: 'not JSON',
      rawData: '{"x',
      toolUseId: 'c',
      toolName: 'run',
    } as const;
    const nameless = { type: 'tool_use_error', error: 'no name' } as const;
    const view = fold([
      step,
      { type: 'tool_use_start', block: 0, id: 'c', name: 'run' },
      { type: 'block_end', block: 0, content: error },
      { type: 'block_end', block: 1, content: nameless },
      message([error, nameless]),
    ]);
    assert.deepEqual(outline(view), ['run failed: not JSON', 'unknown tool failed: no name']);
  });
});
