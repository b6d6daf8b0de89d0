import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateObject, generateText, streamObject, streamText } from 'ai';
import * as z from 'zod';
import type { Endpoint } from '../../../src/endpoint/startEndpoint';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { serveAgent, TOKEN } from '../../support/servers/servedAgent';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** Reads the endpoint with the AI SDK's provider for OpenAI-compatible servers. */
describe('endpoint with the AI SDK', () => {
  let model: ModelServer;
  let folder: TemporaryFolder;
  let endpoint: Endpoint;

  beforeEach(async () => {
    model = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    ({ endpoint } = await serveAgent({ modelUrl: model.baseUrl, folder: folder.path, limits: { maxRuns: 1 } }));
  });

  afterEach(async () => {
    await endpoint.stop();
    await model.dispose();
    await folder.dispose();
  });

  function agent(apiKey = TOKEN) {
    const provider = createOpenAICompatible({ name: 'agent', baseURL: endpoint.baseUrl, apiKey, includeUsage: true });
    return { model: provider('open-agent'), maxRetries: 0 };
  }

  const read = { name: 'read_file', arguments: { path: 'a.txt' } };

  it('streams thinking, text and the usage of the whole run, without tool activity', async () => {
    model.script(
      { thinking: 'Hm.', text: 'Let me look.', toolCalls: [read], usage: { promptTokens: 10, completionTokens: 4 } },
      { text: 'It says one.', usage: { promptTokens: 20, completionTokens: 6 } },
    );
    const result = streamText({ ...agent(), system: 'Be brief.', prompt: 'What is in a.txt?', seed: 7 });
    const kinds = new Set<string>();
    for await (const part of result.fullStream) kinds.add(part.type);
    assert.ok(!kinds.has('error') && kinds.has('reasoning-delta') && kinds.has('text-delta'));
    assert.deepEqual(
      [await result.reasoningText, await result.text, await result.finishReason],
      ['Hm.', 'Let me look.\n\nIt says one.', 'stop'],
    );
    const { inputTokens, outputTokens, totalTokens } = await result.usage;
    assert.deepEqual([inputTokens, outputTokens, totalTokens], [30, 10, 40]);
    const { messages, ...sent } = model.completions[0]!.body;
    assert.match(String(messages[0]?.content), /Be brief\.$/);
    assert.equal((sent as { seed?: number }).seed, 7);
  });

  it('returns a whole answer to a conversation', async () => {
    model.script({ thinking: 'Hm.', text: 'Two.', usage: { promptTokens: 5, completionTokens: 2 } });
    const answer = await generateText({
      ...agent(),
      maxOutputTokens: 50,
      messages: [
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: 'One.' },
        { role: 'user', content: [{ type: 'text', text: 'And two?' }] },
      ],
    });
    assert.deepEqual(
      [answer.text, answer.reasoningText, answer.finishReason, answer.usage.totalTokens],
      ['Two.', 'Hm.', 'stop', 7],
    );
    assert.equal(model.completions[0]?.body.max_tokens, 50);
  });

  it('ends an answer before a stop sequence, also when it comes in pieces, and ends the run', async () => {
    for (const isStreaming of [false, true]) {
      model.script({ text: ['One EN', 'D', createGate()] });
      const asked = { ...agent(), prompt: 'Count', stopSequences: ['END', 'x'] };
      const { text, finishReason } = isStreaming ? streamText(asked) : await generateText(asked);
      assert.deepEqual([await text, await finishReason], ['One ', 'stop']);
    }
    model.script({ text: ['One EN', 'TER'] });
    assert.equal((await generateText({ ...agent(), prompt: 'Count', stopSequences: ['END'] })).text, 'One ENTER');
    model.script({ text: ['One EN'] });
    assert.equal((await generateText({ ...agent(), prompt: 'Count', stopSequences: ['END'] })).text, 'One EN');
  });

  it('answers with the JSON that the caller wants, and nothing else, after a correction', async () => {
    const provider = createOpenAICompatible({
      name: 'agent',
      baseURL: endpoint.baseUrl,
      apiKey: TOKEN,
      supportsStructuredOutputs: true,
    });
    const schema = z.object({ count: z.number() });
    const asked = { model: provider('open-agent'), maxRetries: 0, schema, prompt: 'Count' };
    model.script({ text: 'I count.\n```json\n{"count": "one"}\n```' }, { text: 'Sorry:\n```json\n{"count": 1}\n```' });
    assert.deepEqual((await generateObject(asked)).object, { count: 1 });
    assert.match(JSON.stringify(model.completions.at(-1)?.body.messages), /does not match the JSON Schema/);
    model.script({ text: '{"count": 2}' });
    const streamed = streamObject(asked);
    let newest: unknown;
    for await (const part of streamed.partialObjectStream) newest = part;
    assert.deepEqual(newest, { count: 2 });
  });

  it('understands errors before and within an answer', async () => {
    const wrong = generateText({ ...agent('wrong'), prompt: 'Hi' });
    await assert.rejects(wrong, (error) => APICallError.isInstance(error) && error.statusCode === 401);

    model.script({ kind: 'status', status: 400, body: { error: { message: 'No such thing.' } } });
    const errors: unknown[] = [];
    const streamed = streamText({ ...agent(), prompt: 'Hi', onError: ({ error }) => void errors.push(error) });
    await streamed.consumeStream();
    assert.match(JSON.stringify(errors), /No such thing/);
  });

  it('is told to retry when there are too many runs, and can abort a run', async () => {
    const gate = createGate();
    model.script({ text: ['One moment', gate] });
    const leaving = new AbortController();
    const first = streamText({ ...agent(), prompt: 'Hi', abortSignal: leaving.signal });
    const parts = first.textStream[Symbol.asyncIterator]();
    assert.equal((await parts.next()).value, 'One moment');
    const second = generateText({ ...agent(), prompt: 'Hi' });
    await assert.rejects(second, (error) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual([error.statusCode, error.isRetryable, error.responseHeaders?.['retry-after']], [429, true, '5']);
      return true;
    });
    leaving.abort();
    assert.equal(await model.completions[0]?.closed, 'broken');
    assert.equal((await parts.next()).done, true);
  });
});
