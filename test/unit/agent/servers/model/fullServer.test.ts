import assert from 'node:assert/strict';
import { withFullServer } from '../../../../../src/agent/servers/model/fullServer';
import { SlotQueue, withSlot } from '../../../../../src/agent/servers/model/slotQueue';
import type { AgentErrorInfo } from '../../../../../src/sdk/errors';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../../../src/sdk/model/modelProvider';

const baseUrl = 'http://127.0.0.1:8080/v1';
const full: AgentErrorInfo = { code: 'context_overflow', status: 500, message: 'Context size has been exceeded.' };
const answer: ModelEvent = { type: 'text_delta', block: 0, text: 'Hi' };

function requestOf(characters: number): ModelRequest {
  const content = 'word '.repeat(characters / 5);
  return { model: 'm', systemPrompt: '', messages: [{ role: 'user', content }], tools: [], sampling: {} };
}

/** Answers of a provider: an error, or a text. `open` counts the requests that run. */
function scripted(...turns: readonly (AgentErrorInfo | 'text')[]): ModelProvider & { requests: number } {
  const left = [...turns];
  const provider = {
    requests: 0,
    async *stream(): AsyncGenerator<ModelEvent> {
      provider.requests += 1;
      const turn = left.shift() ?? 'text';
      yield turn === 'text' ? answer : { type: 'error', error: turn, partial: [] };
    },
  };
  return provider;
}

async function run(inner: ModelProvider, request: ModelRequest, contextWindow: number | undefined = 8_192) {
  const waits: number[] = [];
  const slots = new SlotQueue();
  slots.setSize(baseUrl, 4);
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  const provider = withFullServer(withSlot(inner, slots, baseUrl), {
    baseUrl,
    slots,
    contextWindow: () => contextWindow,
    wait,
  });
  const events: ModelEvent[] = [];
  for await (const event of provider.stream(request, { signal: new AbortController().signal })) events.push(event);
  return { events, waits, slots };
}

describe('a server whose slots share one cache', () => {
  it('gets a prompt that fits again after longer and longer waits', async () => {
    const { events, waits } = await run(scripted(full, full, 'text'), requestOf(10_000));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['retry', 'retry', 'text_delta'],
    );
    assert.deepEqual(waits, [1_000, 2_000]);
  });

  it('is named as the cause when it stays full, not the conversation', async () => {
    const inner = scripted(...Array.from({ length: 20 }, () => full));
    const { events, waits } = await run(inner, requestOf(10_000));
    const last = events.at(-1);
    assert.ok(last?.type === 'error' && last.error.code === 'server_full');
    assert.match(last.error.message, /no room for another request.*--parallel 1/s);
    assert.equal(inner.requests, waits.length + 1);
    assert.ok(waits.reduce((sum, ms) => sum + ms, 0) >= 60_000);
  });

  it('is not blamed for a prompt that is too long, or may be', async () => {
    for (const [error, characters, window] of [
      [full, 30_000, 8_192],
      [{ ...full, contextLimit: 8_192 }, 10_000, 8_192],
      [{ ...full, promptTokens: 9_000 }, 10_000, 8_192],
      [full, 10_000, undefined],
      [{ ...full, code: 'bad_request' }, 10_000, 8_192],
    ] as const) {
      const inner = scripted(error);
      const provider = withFullServer(inner, { baseUrl, slots: new SlotQueue(), contextWindow: () => window });
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(requestOf(characters), { signal: new AbortController().signal }))
        events.push(event);
      assert.deepEqual(events, [{ type: 'error', error, partial: [] }]);
      assert.equal(inner.requests, 1);
    }
  });

  it('keeps what came of an answer, and is not asked again', async () => {
    const partial = [{ type: 'text', text: 'Half' }] as const;
    const inner: ModelProvider = {
      async *stream() {
        yield { type: 'error', error: full, partial };
      },
    };
    const { events } = await run(inner, requestOf(10_000));
    assert.ok(events[0]?.type === 'error' && events[0].error.code === 'server_full');
    assert.deepEqual(events[0].partial, partial);
  });

  it('gets fewer requests at once, until it reports another number of slots', async () => {
    const slots = new SlotQueue();
    slots.setSize(baseUrl, 4);
    const { signal } = new AbortController();
    const held = await Promise.all([1, 2, 3].map(() => slots.acquire(baseUrl, signal)));
    slots.sendFewer(baseUrl);
    held[0]?.release();
    assert.equal(slots.ahead(baseUrl), 1);
    slots.setSize(baseUrl, 4);
    assert.equal(slots.ahead(baseUrl), 1);
    slots.setSize(baseUrl, 3);
    assert.equal(slots.ahead(baseUrl), 0);
  });
});
