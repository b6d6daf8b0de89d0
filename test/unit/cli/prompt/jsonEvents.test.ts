import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import { createJsonEvents } from '../../../../src/cli/prompt/jsonEvents';
import type { AgentEvent } from '../../../../src/sdk/events';

const agent = (event: AgentEvent): SessionEvent => ({ type: 'agent', event, ts: 0 });
const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }], stopReason: 'stop' } as const;
const result = { type: 'tool_result', toolUseId: 'c', content: 'one', isError: false } as const;
const error = { code: 'connection', message: 'Nothing answers.' } as const;

/** What is written for these events, without version and time. */
function written(events: readonly SessionEvent[]): unknown[] {
  const lines: string[] = [];
  const { show } = createJsonEvents({
    write: (line) => void lines.push(line),
    now: () => 7,
    target: () => ({ model: 'm', baseUrl: 'http://localhost:1/v1' }),
  });
  for (const event of events) show(event);
  return lines.map((line) => {
    const { v, ts, ...event } = JSON.parse(line) as { v: number; ts: number };
    assert.deepEqual([v, ts], [1, 7]);
    return event;
  });
}

describe('events for programs', () => {
  const cases: readonly [string, SessionEvent, unknown][] = [
    [
      'the start of a run, with who answers',
      agent({ type: 'run_start', prompt: 'Hello' }),
      { type: 'run_start', prompt: 'Hello', model: 'm', baseUrl: 'http://localhost:1/v1' },
    ],
    ['a piece of text', agent({ type: 'text_delta', block: 0, text: 'H' }), { type: 'text', text: 'H' }],
    ['a piece of thinking', agent({ type: 'thinking_delta', block: 0, text: 'h' }), { type: 'thinking', text: 'h' }],
    [
      'a whole response',
      agent({ type: 'assistant_message', message, responseId: '', model: '' }),
      { type: 'message', text: 'Hi.' },
    ],
    [
      'a call',
      agent({ type: 'tool_execution_start', toolUseId: 'c', toolName: 'read_file', input: { path: 'a' } }),
      { type: 'tool_call', id: 'c', name: 'read_file', input: { path: 'a' } },
    ],
    [
      'what a command prints',
      agent({ type: 'tool_execution_progress', toolUseId: 'c', output: 'x\n' }),
      { type: 'tool_output', id: 'c', text: 'x\n' },
    ],
    [
      'a result',
      agent({ type: 'tool_execution_end', toolUseId: 'c', outcome: 'succeeded', result }),
      { type: 'tool_result', id: 'c', outcome: 'succeeded', content: 'one' },
    ],
    ['what the server does', agent({ type: 'status', status: 'queued' }), { type: 'status', status: 'queued' }],
    [
      'what it counted',
      agent({ type: 'usage', usage: { promptTokens: 3, completionTokens: 1 } }),
      { type: 'usage', promptTokens: 3, completionTokens: 1 },
    ],
    [
      'a request that is made again',
      agent({ type: 'retry', attempt: 1, maxRetries: 3, delayMs: 500, error }),
      { type: 'retry', attempt: 1, maxRetries: 3, delayMs: 500, message: 'Nothing answers.' },
    ],
    [
      'how much of a prompt was read',
      agent({ type: 'prompt_progress', progress: { total: 900, processed: 300, cached: 40, elapsedMs: 1_500 } }),
      { type: 'progress', total: 900, processed: 300, cached: 40, elapsedMs: 1_500 },
    ],
    [
      'a server that is waited for',
      agent({
        ...{ type: 'retry', attempt: 2, maxRetries: 16, delayMs: 500, error },
        gone: { waitedMs: 1_000, longestMs: 60_000 },
      }),
      {
        ...{ type: 'retry', attempt: 2, maxRetries: 16, delayMs: 500, message: 'Nothing answers.' },
        ...{ waitedMs: 1_000, longestMs: 60_000 },
      },
    ],
    [
      'why a run failed',
      { type: 'failed', error, ts: 0 },
      { type: 'error', code: 'connection', message: 'Nothing answers.' },
    ],
  ];
  for (const [name, event, expected] of cases) {
    it(`tell of ${name}`, () => assert.deepEqual(written([event]), [expected]));
  }

  it('report a failure or warning once when it is a notice, too', () => {
    const notice = (severity: 'error' | 'warning', words: string): SessionEvent => ({
      type: 'notice',
      notice: { id: 'n', severity, message: words, actions: [] },
      ts: 0,
    });
    const warning = { type: 'warning', code: 'server_quirk', message: 'Without stream_options.' } as const;
    assert.deepEqual(
      written([
        agent(warning),
        notice('warning', warning.message),
        notice('warning', 'Other.'),
        notice('error', 'No.'),
      ]),
      [
        { type: 'warning', message: 'Without stream_options.' },
        { type: 'warning', message: 'Other.' },
      ],
    );
  });

  it('report denied calls, whole and with the reason, and no allowed ones', () => {
    const asked = (requestId: string): SessionEvent => ({
      type: 'approval_requested',
      approval: {
        requestId,
        toolUseId: `c${requestId}`,
        kind: 'command',
        reason: 'It always asks',
        displayPath: '.',
        command: 'rm x',
      },
      ts: 0,
    });
    const resolved = (requestId: string, outcome: 'allowed' | 'denied'): SessionEvent => ({
      type: 'approval_resolved',
      requestId,
      toolUseId: `c${requestId}`,
      outcome,
      ts: 0,
    });
    assert.deepEqual(written([asked('1'), resolved('1', 'allowed'), asked('2'), resolved('2', 'denied')]), [
      { type: 'denied', id: 'c2', kind: 'command', subject: 'rm x', reason: 'It always asks' },
    ]);
  });
});
