import assert from 'node:assert/strict';
import type { ServerKind } from '../../../src/agent/servers/probe/serverIdentity';
import { createServerTokenizer } from '../../../src/agent/servers/model/serverTokenizer';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import type { ModelRequest } from '../../../src/sdk/model/modelProvider';
import { noQuirks, type ServerQuirks } from '../../../src/sdk/model/wire/serverQuirks';
import { JsonServer, type JsonHandler } from '../../support/servers/jsonServer';

const tool = { name: 'look', description: 'Look.', inputSchema: { type: 'object', properties: {} } };
const request: ModelRequest = {
  model: 'm',
  systemPrompt: 'Be brief.',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [tool],
  sampling: { thinking: false, temperature: 0.3 },
};
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
];
const tools = [
  {
    type: 'function',
    function: { name: 'look', description: 'Look.', parameters: { type: 'object', properties: {} } },
  },
];
const chat_template_kwargs = { enable_thinking: false };
const signal = new AbortController().signal;

async function counting(kind: ServerKind, answer: JsonHandler, quirks: ServerQuirks = noQuirks) {
  const server = await JsonServer.start(answer);
  const problems: string[] = [];
  const count = createServerTokenizer({
    kind,
    baseUrl: server.baseUrl,
    fetch: createFetch(),
    quirks: { get: () => quirks },
    onProblem: (message) => problems.push(message),
  });
  return { server, problems, count };
}

const llamaServer: JsonHandler = ({ what }) =>
  what === 'POST /apply-template'
    ? { body: { prompt: '<|im_start|>system\nBe brief.<|im_end|>\n' } }
    : { body: { tokens: [151644, 8948, 198, 3430, 9814, 13] } };

describe('the tokenizer of a server', () => {
  it('asks llama.cpp to apply its template and count the result', async () => {
    const { server, problems, count } = await counting('llama.cpp', llamaServer);
    await using _ = server;
    assert.equal(await count?.(request, { signal }), 6);
    assert.deepEqual(server.requests, [
      { what: 'POST /apply-template', body: { model: 'm', messages, tools, chat_template_kwargs } },
      {
        what: 'POST /tokenize',
        body: {
          model: 'm',
          content: '<|im_start|>system\nBe brief.<|im_end|>\n',
          add_special: true,
          parse_special: true,
        },
      },
    ]);
    assert.deepEqual(problems, []);
  });

  it('asks vLLM to count the messages', async () => {
    const answer = { count: 21, max_model_len: 40960, tokens: [1, 2], token_strs: null };
    const { server, count } = await counting('vllm', () => ({ body: answer }));
    await using _ = server;
    assert.equal(await count?.(request, { signal }), 21);
    assert.deepEqual(server.requests, [
      {
        what: 'POST /tokenize',
        body: { model: 'm', messages, tools, chat_template_kwargs, add_generation_prompt: true },
      },
    ]);
  });

  it('counts tools as text if the server gets them as text', async () => {
    const { server, count } = await counting('llama.cpp', llamaServer, { ...noQuirks, tools: 'text' });
    await using _ = server;
    await count?.(request, { signal });
    const body = server.requests[0]?.body as { readonly tools?: unknown; readonly messages: { content: string }[] };
    assert.equal(body.tools, undefined);
    assert.match(body.messages[0]?.content ?? '', /look/);
  });

  it('reports once that the server cannot count, and stops asking', async () => {
    for (const answer of [{ status: 404, body: { error: 'Not Found' } }, { body: { tokens: 'none' } }]) {
      const { server, problems, count } = await counting('vllm', () => answer);
      await using _ = server;
      assert.deepEqual(
        [await count?.(request, { signal }), await count?.(request, { signal })],
        [undefined, undefined],
      );
      assert.equal(server.requests.length, 1);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /is estimated, because the server cannot count/);
    }
  });

  it('does not count a stopped run as a failure', async () => {
    const controller = new AbortController();
    const { server, problems, count } = await counting('vllm', () => {
      controller.abort();
      return 'silence';
    });
    await using _ = server;
    assert.equal(await count?.(request, { signal: controller.signal }), undefined);
    assert.deepEqual(problems, []);
  });

  it('exists only for servers with a tokenizer', () => {
    for (const kind of ['ollama', 'lmstudio', 'koboldcpp', 'unknown'] as const) {
      const parts = { kind, baseUrl: 'http://localhost:1/v1', fetch, quirks: { get: () => noQuirks } };
      assert.equal(createServerTokenizer({ ...parts, onProblem: assert.fail }), undefined);
    }
  });
});
