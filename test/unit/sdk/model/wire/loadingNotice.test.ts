import assert from 'node:assert/strict';
import type { ModelEvent } from '../../../../../src/sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../../../src/sdk/model/openaiProvider';

/** The types and texts of the events of a stream of these chunks. */
async function eventsOf(chunks: readonly object[]): Promise<readonly string[]> {
  const body = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  const provider = createOpenAIProvider({
    baseUrl: 'http://127.0.0.1:1/v1',
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const request = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, { signal: new AbortController().signal })) events.push(event);
  return events.flatMap((event) => {
    if (event.type === 'status') return [event.status];
    return event.type === 'thinking_delta' || event.type === 'text_delta' ? [event.text] : [];
  });
}

/** As llama-swap sends it. */
const notice = (text: string): object => ({ choices: [{ delta: { reasoning_content: text } }] });
const ofModel = (delta: object, finish: string | null = null): object => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const answer = [ofModel({ reasoning_content: 'Hm.' }), ofModel({ content: 'Hi' }), ofModel({}, 'stop')];

describe('words of llama-swap about loading', () => {
  const loading = [
    '━━━━━',
    '\n',
    'llama',
    '-swap',
    ' loading model: beta',
    '\n',
    '.',
    '\n',
    'Done! (6.75s)',
    '\n',
    '━━━━━',
    '\n',
  ];

  it('show as loading, and are no thoughts', async () => {
    const events = await eventsOf([...loading.map(notice), ...answer]);
    assert.equal(events.filter((event) => event === 'loading_model').length, 1);
    assert.ok(events.join(' ').endsWith('Hm. Hi'), events.join(' '));
    assert.ok(!events.join('').includes('━'));
    assert.ok(!events.join('').includes('swap'));
  });

  it('are told from thoughts of a server whose chunks have no id', async () => {
    const events = await eventsOf([
      notice('I think.'),
      notice('━━━━━'),
      ofModel({ content: 'Hi' }),
      ofModel({}, 'stop'),
    ]);
    assert.ok(events.join('').includes('I think.━━━━━'), events.join('|'));
    assert.ok(!events.includes('loading_model'));
  });

  it('are told from bars that the model thinks', async () => {
    const events = await eventsOf([ofModel({ reasoning_content: '━━━━━' }), ...answer]);
    assert.ok(events.join('').includes('━━━━━Hm.') && !events.includes('loading_model'), events.join('|'));
  });
});
