import assert from 'node:assert/strict';
import type { AgentErrorInfo } from '../../../../../src/sdk/errors';
import type { ModelEvent, ModelRequest } from '../../../../../src/sdk/model/modelProvider';
import { GONE_DELAYS_MS } from '../../../../../src/sdk/model/http/goneServer';
import { readRetryAfter, withRetry, type RetryOptions } from '../../../../../src/sdk/model/http/retryingProvider';
import { collect } from '../../../../support/sessions/clients';
import { failure, ScriptedProvider, textResponse, type Script } from '../../../../support/servers/scriptedProvider';

const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };
const refused: AgentErrorInfo = { code: 'connection', message: 'refused' };
const answer = textResponse('Hello');

interface Played {
  readonly events: readonly ModelEvent[];
  readonly waits: readonly number[];
  readonly requests: number;
}

async function play(scripts: readonly Script[], options: Partial<RetryOptions> = {}): Promise<Played> {
  const inner = new ScriptedProvider(scripts);
  const waits: number[] = [];
  const provider = withRetry(inner, {
    maxRetries: 3,
    random: () => 1,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  const { signal } = new AbortController();
  return {
    events: await collect<ModelEvent>(provider.stream(request, { signal })),
    waits,
    requests: inner.requests.length,
  };
}

const http = (status: number, message = 'failed'): AgentErrorInfo => ({ code: 'server_error', message, status });

describe('withRetry', () => {
  it('passes an answer on unchanged', async () => {
    assert.deepEqual(await play([answer]), { events: answer, waits: [], requests: 1 });
  });

  it('reports each wait, doubles it each time, and yields the answer', async () => {
    const { events, waits } = await play([failure(refused), failure(http(503)), answer]);
    assert.deepEqual(events, [
      { type: 'retry', attempt: 1, maxRetries: 3, delayMs: 500, error: refused },
      { type: 'retry', attempt: 2, maxRetries: 3, delayMs: 1_000, error: http(503) },
      ...answer,
    ]);
    assert.deepEqual(waits, [500, 1_000]);
  });

  it('gives up with the last error', async () => {
    const { events, waits, requests } = await play(Array.from({ length: 9 }, () => failure(refused)));
    assert.deepEqual(events.at(-1), { type: 'error', error: refused, partial: [] });
    assert.deepEqual([waits, requests], [[500, 1_000, 2_000], 4]);
  });

  it('varies its waits between half and all of the time', async () => {
    assert.deepEqual((await play([failure(refused), answer], { random: () => 0 })).waits, [250]);
    assert.deepEqual((await play([failure(refused), answer], { random: () => 0.5 })).waits, [375]);
  });

  it('waits as long as the server asks, up to its limit', async () => {
    const busy = (retryAfterMs: number): Script => [{ type: 'error', error: http(429), partial: [], retryAfterMs }];
    assert.deepEqual((await play([busy(7_000), answer])).waits, [7_000]);
    const { waits, events } = await play([busy(3_600_000), answer]);
    assert.deepEqual(waits, []);
    assert.equal(events.at(-1)?.type, 'error');
  });

  for (const status of [408, 409, 429, 500, 502, 503, 504]) {
    it(`makes a request again after ${status}`, async () => {
      assert.equal((await play([failure(http(status)), answer])).requests, 2);
    });
  }

  const never: readonly (readonly [string, AgentErrorInfo])[] = [
    ['a bad request', { code: 'bad_request', message: 'x', status: 400 }],
    ['a wrong key', { code: 'unauthorized', message: 'x', status: 401 }],
    ['a context that is full', { code: 'context_overflow', message: 'x', status: 500 }],
    ['an output the server cannot read', http(500, 'Failed to parse input at pos 12')],
    ['silence', { code: 'silent', message: 'x' }],
    ['an interruption', { code: 'interrupted', message: 'x' }],
  ];
  for (const [what, error] of never) {
    it(`does not make a request again after ${what}`, async () => {
      assert.equal((await play([failure(error), answer])).requests, 1);
    });
  }

  it('never repeats a request after the first byte', async () => {
    const begun: readonly Script[] = [
      [{ type: 'text_delta', block: 0, text: 'H' }, ...failure(http(500), [{ type: 'text', text: 'H' }])],
    ];
    for (const script of begun) assert.equal((await play([script, answer])).requests, 1);
    const waiting: Script = [{ type: 'status', status: 'prefilling' }, ...failure(http(500))];
    assert.equal((await play([waiting, answer])).requests, 2);
  });

  it('makes a request again when the server failed while it read the prompt', async () => {
    const reading: Script = [
      { type: 'status', status: 'prefilling' },
      { type: 'prompt_progress', progress: { total: 9, processed: 3, cached: 0 } },
      ...failure(http(500)),
    ];
    assert.equal((await play([reading, answer])).requests, 2);
  });

  it('ends as interrupted when it is aborted while it waits', async () => {
    const controller = new AbortController();
    const inner = new ScriptedProvider([failure(refused), answer]);
    const provider = withRetry(inner, { maxRetries: 3, wait: async () => controller.abort() });
    const events = await collect<ModelEvent>(provider.stream(request, { signal: controller.signal }));
    const last = events.at(-1);
    assert.ok(last?.type === 'error' && last.error.code === 'interrupted');
    assert.equal(inner.requests.length, 1);
  });

  it('ends the wait when it is aborted', async () => {
    const controller = new AbortController();
    const provider = withRetry(new ScriptedProvider([failure(refused), answer]), {
      maxRetries: 1,
      baseDelayMs: 30_000,
    });
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(request, { signal: controller.signal })) {
      events.push(event);
      if (event.type === 'retry') setImmediate(() => controller.abort());
    }
    assert.deepEqual(
      events.map(({ type }) => type),
      ['retry', 'error'],
    );
  });
});

describe('readRetryAfter', () => {
  it('reads seconds and dates', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    assert.equal(readRetryAfter('3', now), 3_000);
    assert.equal(readRetryAfter('0.5', now), 500);
    assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now), 9_000);
    assert.equal(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0);
    for (const header of [null, '', 'soon', '-1']) assert.equal(readRetryAfter(header, now), undefined);
  });
});

describe('withRetry and a server that is gone', () => {
  const gone: readonly (readonly [string, AgentErrorInfo])[] = [
    ['a refused connection', refused],
    ['a connection that breaks before the answer', { code: 'stream_broken', message: 'broke', during: 'answer' }],
    ['502 of a gateway', http(502)],
    ['503 of a gateway', http(503)],
    ['504 of a gateway', http(504)],
  ];

  /** Two requests to one provider: the first is answered. */
  async function playSecond(scripts: readonly Script[], abortAfterWaits = Infinity): Promise<Played> {
    const inner = new ScriptedProvider([answer, ...scripts]);
    const waits: number[] = [];
    const stop = new AbortController();
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms);
      if (waits.length >= abortAfterWaits) stop.abort();
    };
    const provider = withRetry(inner, {
      maxRetries: 3,
      random: () => 1,
      wait,
      goneDelaysMs: [1_000, 2_000, 3_000, 4_000],
    });
    await collect<ModelEvent>(provider.stream(request, { signal: stop.signal }));
    const events = await collect<ModelEvent>(provider.stream(request, { signal: stop.signal }));
    return { events, waits, requests: inner.requests.length - 1 };
  }

  it('waits for a minute', () => {
    assert.equal(
      GONE_DELAYS_MS.reduce((all, ms) => all + ms, 0),
      60_000,
    );
  });

  for (const [name, error] of gone) {
    it(`waits after ${name}, says for how long, and goes on`, async () => {
      const { events, waits } = await playSecond([failure(error), failure(refused), answer]);
      assert.deepEqual(waits, [1_000, 2_000]);
      assert.deepEqual(events, [
        {
          ...{ type: 'retry', attempt: 1, maxRetries: 4, delayMs: 1_000, error },
          gone: { waitedMs: 0, longestMs: 10_000 },
        },
        {
          ...{ type: 'retry', attempt: 2, maxRetries: 4, delayMs: 2_000, error: refused },
          gone: { waitedMs: 1_000, longestMs: 10_000 },
        },
        ...answer,
      ]);
    });
  }

  it('gives up after the last wait, with the error', async () => {
    const { events, waits } = await playSecond(Array.from({ length: 9 }, () => failure(refused)));
    assert.deepEqual(waits, [1_000, 2_000, 3_000, 4_000]);
    assert.deepEqual(events.at(-1), { type: 'error', error: refused, partial: [] });
  });

  it('ends at once when it is stopped during the wait', async () => {
    const { events, waits, requests } = await playSecond(
      Array.from({ length: 9 }, () => failure(refused)),
      2,
    );
    assert.deepEqual([waits.length, requests], [2, 2]);
    const last = events.at(-1);
    assert.ok(last?.type === 'error' && last.error.code === 'interrupted');
  });

  it('does not wait at the beginning of another run', async () => {
    const inner = new ScriptedProvider([answer, ...Array.from({ length: 9 }, () => failure(refused))]);
    const waits: number[] = [];
    const provider = withRetry(inner, {
      maxRetries: 1,
      random: () => 1,
      wait: async (ms) => void waits.push(ms),
      goneDelaysMs: GONE_DELAYS_MS,
    });
    await collect<ModelEvent>(provider.stream(request, { signal: new AbortController().signal }));
    const events = await collect<ModelEvent>(provider.stream(request, { signal: new AbortController().signal }));
    assert.deepEqual(waits, [500]);
    assert.deepEqual(events.at(-1), { type: 'error', error: refused, partial: [] });
  });

  it('does not wait for a server that has never answered', async () => {
    const { waits } = await play(
      Array.from({ length: 9 }, () => failure(refused)),
      { goneDelaysMs: GONE_DELAYS_MS },
    );
    assert.deepEqual(waits, [500, 1_000, 2_000]);
  });

  for (const [name, error] of [
    ['a bad request', { code: 'bad_request', message: 'x', status: 400 }],
    ['a failure of the server itself', http(500)],
    ['a full context', { code: 'context_overflow', message: 'x', status: 503 }],
    ['an unreadable answer', { code: 'server_error', message: 'x', status: 502, during: 'answer' }],
  ] as const) {
    it(`does not take ${name} for a server that is gone`, async () => {
      const { events } = await playSecond([failure(error), answer]);
      assert.ok(events.every((event) => event.type !== 'retry' || event.gone === undefined));
    });
  }

  it('names a break in mid-answer, which the run asks again, and no other end', async () => {
    const begun: Script = [{ type: 'text_delta', block: 0, text: 'Hel' }];
    const broke: AgentErrorInfo = { code: 'stream_broken', message: 'broke', during: 'answer' };
    const cut: AgentErrorInfo = { code: 'stream_broken', message: 'no finish reason' };
    // The words of LiteLLM 1.106 when the server behind it was killed.
    const behind =
      "APIConnectionError: OpenAIException - Response payload is not completed: <TransferEncodingError: 400, message='Not enough data'>";
    const lost: AgentErrorInfo = { code: 'server_error', status: 500, message: behind, during: 'answer' };
    const gateway = await playSecond([[...begun, ...failure(lost)]]);
    assert.deepEqual(gateway.events.at(-1), { type: 'error', error: { ...lost, code: 'server_gone' }, partial: [] });
    const unreadable = { ...lost, message: 'error parsing tool call: err=unexpected EOF' };
    const unread = await playSecond([[...begun, ...failure(unreadable)]]);
    assert.deepEqual(unread.events.at(-1), { type: 'error', error: unreadable, partial: [] });
    const broken = await playSecond([[...begun, ...failure(broke)]]);
    assert.deepEqual(broken.events.at(-1), { type: 'error', error: { ...broke, code: 'server_gone' }, partial: [] });
    const ended = await playSecond([[...begun, ...failure(cut)]]);
    assert.deepEqual(ended.events.at(-1), { type: 'error', error: cut, partial: [] });
    assert.deepEqual(broken.waits, []);
  });
});
