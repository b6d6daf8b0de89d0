import assert from 'node:assert/strict';
import { completion, finishChunks } from '../../../../src/endpoint/chat/chunks';
import { Reply, type ReplyPart } from '../../../../src/endpoint/chat/reply';
import type { AgentEvent } from '../../../../src/sdk/events';

const text = (value: string): AgentEvent => ({ type: 'text_delta', block: 0, text: value });
const started: AgentEvent = { type: 'tool_execution_start', toolUseId: 'c1', toolName: 'read_file', input: {} };
const ended: AgentEvent = {
  type: 'tool_execution_end',
  toolUseId: 'c1',
  outcome: 'failed',
  result: { type: 'tool_result', toolUseId: 'c1', content: 'no', isError: true },
};
const usage = (promptTokens: number, completionTokens: number): AgentEvent => ({
  type: 'usage',
  usage: { promptTokens, completionTokens },
});
const head = { id: 'chatcmpl-1', model: 'open-agent', created: 1 };

function take(events: readonly AgentEvent[], maxCompletionTokens = 100): { reply: Reply; parts: readonly ReplyPart[] } {
  const reply = new Reply({ maxCompletionTokens });
  return { reply, parts: events.map((event) => reply.take(event)).filter((part) => part !== undefined) };
}

function endOf(...events: readonly AgentEvent[]): unknown {
  return take(events).reply.end;
}

describe('the answer to a request', () => {
  it('is the text of all steps, with a blank line where tools ran', () => {
    const { reply, parts } = take([
      text('Look:'),
      usage(10, 2),
      started,
      ended,
      text(''),
      text('It '),
      text('is.'),
      usage(15, 3),
    ]);
    assert.deepEqual(parts, [
      { type: 'text', text: 'Look:' },
      { type: 'tool', tool: { id: 'c1', name: 'read_file', state: 'started' } },
      { type: 'tool', tool: { id: 'c1', name: 'read_file', state: 'failed' } },
      { type: 'text', text: '\n\nIt ' },
      { type: 'text', text: 'is.' },
    ]);
    assert.deepEqual(reply.usage, { promptTokens: 25, completionTokens: 5 });
    assert.deepEqual(completion(head, parts, 'stop', reply.usage), {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Look:\n\nIt is.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 25, completion_tokens: 5, total_tokens: 30 },
      open_agent: { tools: [{ id: 'c1', name: 'read_file', state: 'failed' }] },
    });
  });

  it('ends as the run ended', () => {
    const step = (stopReason: 'stop' | 'length'): AgentEvent => ({ type: 'step_end', step: 0, stopReason });
    const error = { code: 'connection', message: 'Nothing answers.' } as const;
    assert.deepEqual(endOf(step('stop'), { type: 'run_end', outcome: 'completed' }), {
      type: 'finished',
      finishReason: 'stop',
    });
    assert.deepEqual(endOf(step('length'), { type: 'run_end', outcome: 'completed' }), {
      type: 'finished',
      finishReason: 'length',
    });
    assert.deepEqual(endOf({ type: 'run_end', outcome: 'limit' }), { type: 'finished', finishReason: 'length' });
    assert.deepEqual(endOf({ type: 'run_end', outcome: 'error', error }), { type: 'failed', error });
    assert.deepEqual(endOf({ type: 'run_end', outcome: 'interrupted' }), {
      type: 'failed',
      error: { code: 'interrupted', message: 'The run was stopped.' },
    });
    assert.deepEqual(endOf(usage(1, 100), { type: 'run_end', outcome: 'interrupted' }), {
      type: 'finished',
      finishReason: 'length',
    });
    assert.equal(endOf(text('cut')), undefined);
  });

  it("is spent at its token limit, by the server's counts or by the number of pieces", () => {
    const spent = (maxTokens: number, ...events: readonly AgentEvent[]): boolean =>
      take(events, maxTokens).reply.isSpent;
    const step: AgentEvent = { type: 'step_start', step: 1 };
    const thinking: AgentEvent = { type: 'thinking_delta', block: 0, text: 'Hm' };
    const argument: AgentEvent = { type: 'tool_use_delta', block: 0, id: 'c1', argumentsDelta: '{' };
    assert.deepEqual([spent(10, usage(1, 9), step), spent(10, usage(1, 10), step)], [false, true]);
    // The last piece it may write is followed by the end of the response.
    assert.deepEqual([spent(2, text('a'), text('b')), spent(2, text('a'), thinking, argument)], [false, true]);
    assert.deepEqual(
      [spent(2, text('a'), text('b'), usage(1, 1)), spent(2, usage(1, 1), step, text('a'))],
      [false, false],
    );
    assert.equal(spent(2, usage(1, 1), step, text('a'), text('b')), true);
    // A server that counts nothing.
    assert.equal(spent(2, step, text('a'), text('b'), step), true);
  });

  it('has usage where the caller wants it, and none without counts', () => {
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const finish = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const counted = { promptTokens: 1, completionTokens: 2 };
    const wire = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    assert.deepEqual(finishChunks(head, 'stop', counted, { wantsUsageChunk: false }), [{ ...finish, usage: wire }]);
    assert.deepEqual(finishChunks(head, 'stop', counted, { wantsUsageChunk: true }), [
      finish,
      { ...chunk, choices: [], usage: wire },
    ]);
    assert.deepEqual(finishChunks(head, 'stop', undefined, { wantsUsageChunk: true }), [finish]);
    assert.deepEqual(finishChunks(head, 'stop', { ...counted, cachedTokens: 1 }, { wantsUsageChunk: false }), [
      { ...finish, usage: { ...wire, prompt_tokens_details: { cached_tokens: 1 } } },
    ]);
  });
});
