import assert from 'node:assert/strict';
import { emptyView, foldSession } from '../../../../../src/agent/view/fold/foldSession';
import type { AgentEvent } from '../../../../../src/sdk/events';
import type { Usage } from '../../../../../src/sdk/messages';

describe('the speed of a response', () => {
  const usage: Usage = { promptTokens: 100, completionTokens: 101 };

  /** The text item after a response whose first piece came at 1700 and whose end came at 3700. */
  const answerOf = (given: Usage | undefined, begunMs = 1_000, content = [{ type: 'text', text: 'Hi.' }] as const) => {
    const events: readonly (readonly [AgentEvent, number])[] = [
      [{ type: 'step_start', step: 0 }, begunMs],
      [{ type: 'thinking_delta', block: 0, text: 'Hm.' }, 1_700],
      [{ type: 'text_delta', block: 1, text: 'Hi' }, 2_000],
      [
        {
          type: 'assistant_message',
          message: { role: 'assistant', content },
          responseId: '',
          model: 'm',
          usage: given,
        },
        3_700,
      ],
    ];
    let view = emptyView('s');
    for (const [event, ts] of events) view = foldSession(view, { type: 'agent', event, ts });
    assert.equal(view.responseTimes, undefined);
    const { tokensPerSecond, firstTokenMs } = Object(view.items.find(({ kind }) => kind === 'text'));
    return { tokensPerSecond, firstTokenMs };
  };

  it('is what the server says, with the time to the first piece', () => {
    assert.deepEqual(answerOf({ ...usage, writtenPerSecond: 38.2 }), { tokensPerSecond: 38.2, firstTokenMs: 700 });
  });

  it('is measured where the server says nothing', () => {
    assert.deepEqual(answerOf(usage), { tokensPerSecond: 50, firstTokenMs: 700 });
    assert.deepEqual(answerOf(undefined), { tokensPerSecond: undefined, firstTokenMs: 700 });
  });

  it('is not measured in a session that was loaded', () => {
    assert.deepEqual(answerOf(usage, 1_700), { tokensPerSecond: undefined, firstTokenMs: undefined });
    assert.deepEqual(answerOf({ ...usage, writtenPerSecond: 38.2 }, 1_700).tokensPerSecond, 38.2);
  });
});
