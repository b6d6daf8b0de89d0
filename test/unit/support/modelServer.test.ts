import assert from 'node:assert/strict';
import { ModelServer, createGate } from '../../support/servers/modelServer';
import { readRecording } from '../../support/servers/turns';

function complete(server: ModelServer, body: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-model', stream: true, messages: [], ...body }),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('the model server of the tests', () => {
  let server: ModelServer;

  beforeEach(async () => {
    server = await ModelServer.start();
  });

  afterEach(() => server.dispose());

  it('replays a recording byte for byte, however it is split', async () => {
    const file = 'llama-server/qwen2.5-two-tool-calls.sse';
    server.script({ kind: 'recording', file, splitAt: [1, 700, 701] });
    const response = await complete(server);
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), readRecording(file));
  });

  it('replays a recorded error with its status', async () => {
    server.script({ kind: 'recording', file: 'llama-server/error-loading.json' });
    const response = await complete(server);
    assert.equal(response.status, 503);
    assert.equal(((await response.json()) as { error: { message: string } }).error.message, 'Loading model');
  });

  it('streams thinking, text and tool calls, with usage when asked', async () => {
    server.script({ thinking: 'hm', text: 'Hi 😀', toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }] });
    const response = await complete(server, { stream_options: { include_usage: true } });
    const frames = (await response.text()).trim().split('\n\n');
    const deltas = frames
      .filter((frame) => frame !== 'data: [DONE]')
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as { choices: unknown[]; usage?: unknown })
      .map((chunk) => chunk.usage ?? chunk.choices[0]);
    const choice = (delta: object, finish: string | null = null): object => ({
      index: 0,
      delta,
      finish_reason: finish,
    });
    const start = { index: 0, id: 'call_1_0', type: 'function', function: { name: 'read_file', arguments: '' } };
    assert.deepEqual(deltas, [
      choice({ role: 'assistant', content: null }),
      choice({ reasoning_content: 'hm' }),
      choice({ content: 'Hi 😀' }),
      choice({ tool_calls: [start] }),
      choice({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a.ts"}' } }] }),
      choice({}, 'tool_calls'),
      { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    ]);
    assert.equal(frames.at(-1), 'data: [DONE]');
  });

  it('waits at a gate in the middle of a stream, and sees the client leave', async () => {
    const gate = createGate();
    server.script({ text: ['first', gate, 'second'] });
    const abort = new AbortController();
    const response = await complete(server, {}, abort.signal);
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('first')) text += Buffer.from((await reader?.read())?.value ?? []).toString('utf8');
    await gate.reached;
    abort.abort();
    assert.equal(await (await server.completion(1)).closed, 'broken');
    assert.equal(text.includes('second'), false);
  });

  it('breaks a stream where the script says so', async () => {
    server.script({ text: 'half an ans', cut: true });
    const response = await complete(server);
    await assert.rejects(response.text(), { name: 'TypeError', message: 'terminated' });
  });

  it('records requests, and answers one too many with an error that a test can see', async () => {
    const response = await complete(server, { messages: [{ role: 'user', content: 'Hi' }] });
    assert.equal(response.status, 500);
    const request = await server.completion(1);
    assert.deepEqual(request.body.messages, [{ role: 'user', content: 'Hi' }]);
    assert.deepEqual(server.unexpected, [request]);
  });

  it('lists its models with the loaded context window', async () => {
    const list = (await (await fetch(`${server.baseUrl}/models`)).json()) as { data: { id: string; meta: object }[] };
    assert.deepEqual(
      list.data.map(({ id, meta }) => ({ id, meta })),
      [{ id: 'test-model', meta: { n_ctx: 32768, n_ctx_train: 32768 } }],
    );
  });

  it('asks for its key', async () => {
    await using locked = await ModelServer.start({ apiKey: 'secret' });
    assert.equal((await fetch(`${locked.baseUrl}/models`)).status, 401);
    const headers = { authorization: 'Bearer secret' };
    assert.equal((await fetch(`${locked.baseUrl}/models`, { headers })).status, 200);
  });
});
