import assert from 'node:assert/strict';
import type { ServerKind } from '../../../src/agent/servers/probe/serverIdentity';
import { TextTokens } from '../../../src/agent/servers/model/textTokens';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { JsonServer, type JsonHandler } from '../../support/servers/jsonServer';

const { signal } = new AbortController();

async function counting(answer: JsonHandler) {
  const server = await JsonServer.start(answer);
  const problems: string[] = [];
  const tokens = new TextTokens({ fetch: createFetch(), onProblem: (message) => problems.push(message) });
  const count = (text: string, kind?: ServerKind) =>
    tokens.count({ text, model: 'm', baseUrl: server.baseUrl, kind }, signal);
  return { server, problems, count };
}

describe('the tokens of a text', () => {
  it('are counted by llama.cpp', async () => {
    const { server, count } = await counting(() => ({ body: { tokens: [1, 2, 3] } }));
    await using _ = server;
    assert.equal(await count('a b c', 'llama.cpp'), 3);
    const body = { model: 'm', content: 'a b c', add_special: false, parse_special: false };
    assert.deepEqual(server.requests, [{ what: 'POST /tokenize', body }]);
  });

  it('are counted by vLLM', async () => {
    const { server, count } = await counting(() => ({ body: { count: 5, max_model_len: 10, tokens: [] } }));
    await using _ = server;
    assert.equal(await count('a b c', 'vllm'), 5);
    const body = { model: 'm', prompt: 'a b c', add_special_tokens: false };
    assert.deepEqual(server.requests, [{ what: 'POST /tokenize', body }]);
  });

  it('are estimated if no server can be asked', async () => {
    const { server, count } = await counting(() => assert.fail('nothing is asked'));
    await using _ = server;
    assert.deepEqual(
      [await count('x'.repeat(40), 'ollama'), await count('x'.repeat(40)), await count('')],
      [10, 10, 0],
    );
  });

  it('are estimated after a server failed to count, which is reported once', async () => {
    const { server, problems, count } = await counting(() => ({ status: 404, body: { error: 'no' } }));
    await using _ = server;
    assert.deepEqual([await count('x'.repeat(40), 'vllm'), await count('x'.repeat(80), 'vllm')], [10, 20]);
    assert.equal(server.requests.length, 1);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^The length of texts is estimated, because the server cannot count them: .*404/);
  });
});
