import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { AgentError, Client, query, tool, type AgentOptions, type ContentBlock } from '../../../src/sdk';
import { collect, record } from '../../support/sessions/clients';
import { createGate, ModelServer } from '../../support/servers/modelServer';

const readFile = tool('read_file', 'Read a file', { path: 'string' }, ({ path: file }) => `contents of ${file}`);
const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => ({ sum: a + b }));

function optionsFor(server: ModelServer, options: Partial<AgentOptions> = {}): AgentOptions {
  return {
    systemPrompt: 'Be brief.',
    model: 'test-model',
    baseUrl: server.baseUrl,
    tools: [readFile, add],
    maxRetries: 0,
    ...options,
  };
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');

describe('the SDK against a model server', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(async () => {
    await server.dispose();
    assert.deepEqual(server.unexpected, []);
  });

  it('runs the tool a reasoning model asked for, and answers from its result', async () => {
    server.script(
      { kind: 'recording', file: 'llama-server/qwen3-thinking-then-tool.sse' },
      { text: 'It has contents.' },
    );
    await using client = new Client(optionsFor(server, { autoExecuteTools: true }));
    await client.query('What is in src/main.ts?');
    const blocks = await collect(client.receiveMessages());

    const call = blocks.find((block) => block.type === 'tool_use');
    assert.deepEqual(call?.input, { path: 'src/main.ts' });
    assert.deepEqual(
      blocks.find((block) => block.type === 'tool_result'),
      {
        type: 'tool_result',
        toolUseId: call?.id,
        toolName: 'read_file',
        content: 'contents of src/main.ts',
        isError: false,
      },
    );
    assert.equal(textOf(blocks.slice(blocks.findIndex(({ type }) => type === 'tool_result'))), 'It has contents.');
    assert.deepEqual(server.completions[1]?.body.messages.map(({ role, content }) => [role, content]).slice(-1), [
      ['tool', 'contents of src/main.ts'],
    ]);
  });

  it('runs both calls of one response, in order', async () => {
    server.script({ kind: 'recording', file: 'llama-server/qwen2.5-two-tool-calls.sse' }, { text: 'Done.' });
    await using client = new Client(optionsFor(server, { autoExecuteTools: true }));
    const { result } = await record(client.run('Both.'));
    assert.deepEqual(
      result.conversation.map((message) => (message.role === 'tool' ? message.content.toolName : message.role)),
      ['user', 'assistant', 'read_file', 'run_command', 'assistant'],
    );
    const unknown = result.conversation[3];
    assert.equal(
      unknown?.role === 'tool' && unknown.content.content,
      'Unknown tool: run_command. The tools are: read_file, add.',
    );
    assert.equal(result.primaryText, 'Done.');
  });

  it('sends requests that grow only at their end', async () => {
    const call = { name: 'add', arguments: { a: 1, b: 2 } };
    server.script(
      { thinking: 'Add.', toolCalls: [call] },
      { text: 'Now again.', toolCalls: [call] },
      { text: '3' },
      { text: 'Bye.' },
    );
    await using client = new Client(optionsFor(server, { autoExecuteTools: true }));
    await record(client.run('1 + 2?'));
    const turn = server.completions.map(({ text }) => text.slice(0, text.lastIndexOf(']')));
    assert.equal(turn.length, 3);
    turn.forEach((text, index) => {
      const before = turn[index - 1];
      if (before !== undefined) assert.ok(text.startsWith(before), `request ${index + 1} changes what was sent before`);
    });
    await record(client.run('Bye!'));
    const tools = server.completions.map(({ body }) => JSON.stringify(body.tools));
    assert.equal(new Set(tools).size, 1);
  });

  it('sends the documented sampling, without null values', async () => {
    server.script({ text: 'a' }, { text: 'b' });
    await collect(query('hi', optionsFor(server)));
    await collect(query('hi', optionsFor(server, { temperature: null, maxTokens: null })));
    const sampling = server.completions.map(({ body }) => [body['temperature'], body['max_tokens'], body['top_p']]);
    assert.deepEqual(sampling, [
      [0.7, 4096, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it('closes the connection on interrupt, before and after the first byte, and runs the next prompt', async () => {
    const headers = createGate();
    const body = createGate();
    server.script({ heldUntil: headers, text: 'never' }, { text: ['Once', body, 'never'] }, { text: 'Here.' });
    await using client = new Client(optionsFor(server));
    const silent = record(client.run('one'));
    await headers.reached;
    await client.interrupt();
    assert.equal((await silent).result.outcome, 'interrupted');

    await record(client.run('two'), async (event) => {
      if (event.type === 'text_delta') await client.interrupt();
    });
    assert.deepEqual(client.history.at(-1), {
      role: 'assistant',
      content: [{ type: 'text', text: 'Once' }],
      stopReason: 'interrupted',
    });
    headers.open();
    body.open();
    assert.deepEqual(await Promise.all(server.completions.map(({ closed }) => closed)), ['broken', 'broken']);
    assert.equal((await record(client.run('three'))).result.primaryText, 'Here.');
  });

  it('repeats a failed request after the time that the server asks for', async () => {
    const busy = { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '0' } };
    server.script({ kind: 'status', ...busy }, { text: 'Here.' });
    await using client = new Client(optionsFor(server, { maxRetries: 1 }));
    const { events, result } = await record(client.run('go'));
    assert.equal(result.primaryText, 'Here.');
    const retry = events.find(({ type }) => type === 'retry');
    assert.ok(retry?.type === 'retry');
    assert.deepEqual([retry.attempt, retry.maxRetries, retry.delayMs, retry.error.status], [1, 1, 0, 429]);
  });

  it('keeps the text of a broken connection, and continues from there', async () => {
    const call = { name: 'add', arguments: { a: 1, b: 2 } };
    server.script({ text: 'Half an', toolCalls: [call], cut: true }, { text: ' answer.' });
    await using client = new Client(optionsFor(server, { autoExecuteTools: true }));
    const { result } = await record(client.run('go'));
    assert.equal(result.error?.code, 'stream_broken');
    assert.deepEqual(result.conversation.slice(1), [
      { role: 'assistant', content: [{ type: 'text', text: 'Half an' }], stopReason: 'incomplete' },
    ]);
    assert.equal((await record(client.continueRun())).result.primaryText.trim(), 'answer.');
  });

  it('tells a model what is wrong with unreadable arguments, and does not send them back', async () => {
    server.script({ toolCalls: [{ name: 'add', arguments: '{"a": one}}' }] }, { text: 'Sorry.' });
    await using client = new Client(optionsFor(server, { autoExecuteTools: true, allowLenientToolJson: false }));
    const { result } = await record(client.run('go'));
    assert.equal(result.primaryText, 'Sorry.');
    const sent = server.completions[1]?.body.messages.slice(-2);
    assert.equal(sent?.[0]?.tool_calls?.[0]?.function.arguments, '{}');
    assert.match(sent?.[1]?.content ?? '', /not valid JSON/);
  });

  it('yields arguments as they come, and repairs them when they are complete', async () => {
    const written = `{'a': 1,${' '.repeat(200)}'b': 2,}`;
    server.script({ toolCalls: [{ name: 'add', arguments: written }] }, { text: '3' });
    await using client = new Client(optionsFor(server, { autoExecuteTools: true }));
    const { events, result } = await record(client.run('go'));
    const deltas = events.flatMap((event) => (event.type === 'tool_use_delta' ? [event.argumentsDelta] : []));
    assert.ok(deltas.length > 1);
    assert.equal(deltas.join(''), written);
    const end = events.find((event) => event.type === 'tool_execution_end');
    assert.deepEqual([end?.outcome, end?.result.content], ['succeeded', { sum: 3 }]);
    assert.equal(result.primaryText, '3');
  });

  describe('names the server or the model, and loses nothing, after', () => {
    const page = '<html><body>Welcome to nginx</body></html>';
    const cases = [
      ['401', { status: 401, body: { error: { message: 'Invalid API Key' } } }, 'unauthorized', /127\.0\.0\.1/],
      ['404', { status: 404, body: { error: { message: 'model not found' } } }, 'not_found', /test-model|127\.0\.0\.1/],
      ['500', { status: 500, body: { error: { message: 'out of memory' } } }, 'server_error', /out of memory/],
      ['a web page', { status: 200, body: page, contentType: 'text/html' }, 'not_openai_compatible', /127\.0\.0\.1/],
    ] as const;
    for (const [what, answer, code, message] of cases) {
      it(what, async () => {
        server.setRoute('/v1/chat/completions', answer);
        await using client = new Client(optionsFor(server));
        await client.query('hi');
        await assert.rejects(collect(client.receiveMessages()), (error) => {
          assert.ok(error instanceof AgentError);
          assert.equal(error.code, code);
          assert.match(error.message, message);
          return true;
        });
        assert.deepEqual(client.history, [{ role: 'user', content: 'hi' }]);
        server.setRoute('/v1/chat/completions', undefined);
        server.script({ text: 'Hello' });
        assert.equal(textOf(await collect(client.receiveMessages())), 'Hello');
      });
    }

    it('a refused connection', async () => {
      const closed = createServer();
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      const options = optionsFor(server, { baseUrl: `http://127.0.0.1:${port}` });
      await assert.rejects(collect(query('hi', options)), (error) => {
        assert.ok(error instanceof AgentError);
        assert.equal(error.code, 'connection');
        assert.ok(error.message.includes(`http://127.0.0.1:${port}`), error.message);
        return true;
      });
    });
  });
});
