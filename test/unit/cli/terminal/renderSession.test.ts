import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/agent/view/sessionEvents';
import { createSessionRenderer } from '../../../../src/cli/terminal/renderSession';
import type { AgentEvent } from '../../../../src/sdk/events';

const agent = (event: AgentEvent): SessionEvent => ({ type: 'agent', event, ts: 0 });
const text = (part: string): SessionEvent => agent({ type: 'text_delta', block: 0, text: part });
const textEnd = agent({ type: 'block_end', block: 0, content: { type: 'text', text: '' } });
const start = agent({ type: 'run_start', prompt: 'hi' });
const step = (number: number): SessionEvent => agent({ type: 'step_start', step: number });

/** What a renderer writes for these events: the answer as it is, log lines in brackets. */
function render(events: readonly SessionEvent[], isTerminal = false): string {
  let screen = '';
  const renderer = createSessionRenderer({
    answer: (part) => (screen += part),
    log: (part) => (screen += `[${part}]`),
    isTerminal,
  });
  for (const event of events) renderer.show(event);
  return screen;
}

describe('session renderer', () => {
  it('streams the answer and ends its line', () => {
    const end = agent({ type: 'run_end', outcome: 'completed' });
    assert.equal(render([start, step(1), text('Hel'), text('lo'), textEnd, end]), 'Hello\n');
  });

  it('separates the text before a tool call from the text after it', () => {
    const events = [
      start,
      step(1),
      text('Reading.'),
      textEnd,
      agent({ type: 'tool_execution_start', toolUseId: 'c', toolName: 'read_file', input: { path: 'a\u001b.ts' } }),
      agent({
        type: 'tool_execution_end',
        toolUseId: 'c',
        outcome: 'failed',
        result: { type: 'tool_result', toolUseId: 'c', content: 'No such file.\nTry b.ts.', isError: true },
      }),
      step(2),
      text('Gone.'),
      textEnd,
    ];
    assert.equal(
      render(events),
      'Reading.\n[> read_file {"path":"a\\u001b.ts"}\n][  failed: No such file.\n]\nGone.\n',
    );
  });

  it('names a call again that fails after another one started', () => {
    const edit = (file: string): SessionEvent =>
      agent({ type: 'tool_execution_start', toolUseId: file, toolName: 'apply_edit', input: { path: file } });
    const end = (file: string, outcome: 'succeeded' | 'interrupted'): SessionEvent =>
      agent({
        type: 'tool_execution_end',
        toolUseId: file,
        outcome,
        result: { type: 'tool_result', toolUseId: file, content: 'Stopped.', isError: outcome !== 'succeeded' },
      });
    assert.equal(
      render([start, edit('a'), edit('b'), end('a', 'interrupted'), end('b', 'succeeded')]),
      '[> apply_edit {"path":"a"}\n][> apply_edit {"path":"b"}\n]' +
        '[> apply_edit {"path":"a"}\n][  interrupted: Stopped.\n]',
    );
  });

  it('writes no control characters to a terminal or a pipe', () => {
    const events = [start, text('a\u001b[2Jb\r\n')];
    assert.equal(render(events), 'a<ESC>[2Jb\n');
    assert.equal(render(events, true), 'a<ESC>[2Jb\n');
  });

  it('tells a long reading of the prompt in tenths, with speed and time left', () => {
    const progress = (processed: number, elapsedMs: number): SessionEvent =>
      agent({ type: 'prompt_progress', progress: { total: 20_000, processed, cached: 1_000, elapsedMs } });
    const reading = [
      agent({ type: 'status', status: 'prefilling' }),
      progress(1_000, 0),
      progress(3_000, 2_000),
      progress(3_500, 2_500),
      progress(11_000, 10_000),
      progress(20_000, 19_000),
    ];
    const lines =
      '[Reading the prompt: 15 % of 20000 tokens, 1000 tokens/s, 17 s left\n]' +
      '[Reading the prompt: 55 % of 20000 tokens, 1000 tokens/s, 9 s left\n]';
    assert.equal(render([start, ...reading]), lines);
    assert.equal(render([start, ...reading, ...reading]), lines + lines);
  });

  it('does not tell a short reading of the prompt, or one without times', () => {
    const events = [
      { total: 2_000, processed: 1_000, cached: 0, elapsedMs: 900 },
      { total: 20_000, processed: 10_000, cached: 0 },
      { total: 0, processed: 0, cached: 0, elapsedMs: 9 },
    ].map((progress) => agent({ type: 'prompt_progress', progress }));
    assert.equal(render([start, ...events]), '');
  });

  it('tells how long a model has been loading', () => {
    const loading = (ts: number): SessionEvent => ({
      type: 'agent',
      event: { type: 'status', status: 'loading_model', detail: 'Loading model' },
      ts,
    });
    assert.equal(
      render([start, loading(1_000), loading(11_000), loading(75_000)]),
      '[Loading the model (Loading model)\n]' +
        '[Loading the model: 10 s (Loading model)\n]' +
        '[Loading the model: 1 min 14 s (Loading model)\n]',
    );
  });

  it('tells the reason of repeated tries once, and another reason again', () => {
    const retry = (attempt: number, message: string): SessionEvent =>
      agent({ type: 'retry', attempt, maxRetries: 3, delayMs: 900, error: { code: 'connection', message } });
    assert.equal(
      render([start, retry(1, 'Gone.'), retry(2, 'Gone.'), retry(3, 'Full.'), retry(1, 'Full.')]),
      '[Gone. Trying again in 1 s (1 of 3).\n][Trying again in 1 s (2 of 3).\n]' +
        '[Full. Trying again in 1 s (3 of 3).\n][Full. Trying again in 1 s (1 of 3).\n]',
    );
  });

  it('tells that it waits for a server that is gone, and how long every ten seconds', () => {
    const retry = (attempt: number, waitedMs: number): SessionEvent => {
      const gone = { waitedMs, longestMs: 60_000 };
      const error = { code: 'connection', message: 'Refused.' } as const;
      return agent({ type: 'retry', attempt, maxRetries: 16, delayMs: 5_000, error, gone });
    };
    const waits = [0, 1_000, 4_000, 9_000, 12_000, 16_000, 20_000, 45_000];
    assert.equal(
      render([start, ...waits.map((waitedMs, index) => retry(index + 1, waitedMs)), retry(1, 0)]),
      '[Refused. Waiting for the server to come back, for up to 60 s.\n]' +
        '[Waiting for the server to come back: 12 s.\n]' +
        '[Waiting for the server to come back: 20 s.\n]' +
        '[Waiting for the server to come back: 45 s.\n]' +
        '[Refused. Waiting for the server to come back, for up to 60 s.\n]',
    );
  });

  it('tells the speed of the newest answer at the end of a run', () => {
    const message = agent({
      type: 'assistant_message',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
      responseId: '',
      model: 'm',
      usage: { promptTokens: 9, completionTokens: 5, writtenPerSecond: 41.7 },
    });
    const end = agent({ type: 'run_end', outcome: 'completed' });
    assert.equal(render([start, text('Hi'), textEnd, message, end]), 'Hi\n[The newest answer came at 42 tokens/s.\n]');
    assert.equal(render([start, message, end, start, end]), '[The newest answer came at 42 tokens/s.\n]');
  });

  it('starts a log line of its own on a terminal, and leaves the piped answer whole', () => {
    const events = [start, text('one'), agent({ type: 'status', status: 'stalled' }), text(' two')];
    const words = '[The server has sent nothing for a while\n]';
    assert.equal(render(events, true), `one\n${words} two`);
    assert.equal(render(events), `one${words} two`);
  });

  it('reports once why a run failed', () => {
    const message = 'Cannot reach http://localhost:1/v1';
    const events: SessionEvent[] = [
      start,
      agent({ type: 'run_end', outcome: 'error', error: { code: 'connection', message } }),
      { type: 'failed', error: { code: 'connection', message }, ts: 0 },
      { type: 'notice', notice: { id: 'n', severity: 'error', message, actions: ['retry'] }, ts: 0 },
      { type: 'notice', notice: { id: 'm', severity: 'info', message: 'Something else', actions: [] }, ts: 0 },
    ];
    assert.equal(render(events), `[Error: ${message}\n][Something else\n]`);
  });

  it('reports a wait with its reason', () => {
    const events = [agent({ type: 'status', status: 'queued', detail: 'behind another request' })];
    assert.equal(render(events), '[Waiting for the model server (behind another request)\n]');
  });
});
