import assert from 'node:assert/strict';
import { withBusyServer, withFullServer } from '../../../../../src/agent/servers/model/fullServer';
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

describe('a server without a place for a request', () => {
  const busy: AgentErrorInfo = { code: 'bad_request', status: 429, message: 'all max_parallel_requests slots in use' };
  const answered: ModelEvent = { type: 'response_end', finishReason: 'stop', blocks: [] } as never;

  it('gets the request again, after longer and longer waits', async () => {
    const { events, waits } = await run(scripted(busy, busy, 'text'), requestOf(10_000));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['retry', 'retry', 'text_delta'],
    );
    assert.deepEqual(waits, [1_000, 2_000]);
  });

  it('is quoted when it stays busy', async () => {
    const { events } = await run(scripted(...Array.from({ length: 20 }, () => busy)), requestOf(10));
    assert.deepEqual(events.at(-1), { type: 'error', error: busy, partial: [] });
  });

  it('is not asked again when a quota is spent', async () => {
    const spent = { ...busy, message: 'You exceeded your current quota.' };
    const { events, waits } = await run(scripted(spent), requestOf(10));
    assert.deepEqual([events.map(({ type }) => type), waits], [['error'], []]);
  });

  /** How many requests of this queue run at once. */
  const width = async (slots: SlotQueue): Promise<number> => {
    const held = [];
    while (slots.ahead(baseUrl) === 0) held.push(await slots.acquire(baseUrl, new AbortController().signal));
    for (const slot of held) slot?.release();
    return held.length;
  };

  it('gets fewer requests at once, and more again after answers', async () => {
    const slots = new SlotQueue();
    slots.setSize(baseUrl, 4);
    const { signal } = new AbortController();
    const say = async (event: ModelEvent): Promise<void> => {
      const inner: ModelProvider = {
        async *stream() {
          yield event;
        },
      };
      for await (const _ of withBusyServer(withSlot(inner, slots, baseUrl), slots, baseUrl).stream(requestOf(10), {
        signal,
      }));
    };
    const others = [await slots.acquire(baseUrl, signal), await slots.acquire(baseUrl, signal)];
    await say({ type: 'error', error: busy, partial: [] });
    for (const slot of others) slot?.release();
    assert.equal(await width(slots), 2);
    // The same number from the server does not undo it.
    slots.setSize(baseUrl, 4);
    assert.equal(await width(slots), 2);
    for (let answers = 0; answers < 8; answers += 1) await say(answered);
    assert.equal(await width(slots), 3);
    for (let answers = 0; answers < 40; answers += 1) await say(answered);
    assert.equal(await width(slots), 4);
  });
});
