import assert from 'node:assert/strict';
import { CacheWarmer, WARM_DELAY_MS, warmingRequest } from '../../../../../src/agent/servers/model/cacheWarmer';
import { SlotQueue, withSlot } from '../../../../../src/agent/servers/model/slotQueue';
import type { AssistantBlock, Message } from '../../../../../src/sdk/messages';
import type {
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ModelResponse,
} from '../../../../../src/sdk/model/modelProvider';
import { ManualSchedule } from '../../../../support/manualSchedule';
import {
  hold,
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
  type Script,
} from '../../../../support/servers/scriptedProvider';

const url = 'http://localhost:8080/v1';
const thinking: AssistantBlock = { type: 'thinking', text: 'Hm.' };
const text: AssistantBlock = { type: 'text', text: 'Done.' };
const question: Message = { role: 'user', content: 'Hello' };
const request: ModelRequest = {
  model: 'm',
  systemPrompt: 's',
  messages: [question],
  tools: [],
  sampling: { temperature: 0.5, maxTokens: 100 },
};

class Bench {
  readonly slots = new SlotQueue();
  readonly schedule = new ManualSchedule();
  readonly warmer = new CacheWarmer({ slots: this.slots, setTimer: this.schedule.schedule });
  readonly provider: ScriptedProvider;
  readonly #queued: ModelProvider;

  constructor(...scripts: readonly Script[]) {
    this.provider = new ScriptedProvider(scripts);
    this.#queued = this.warmer.wrap(withSlot(this.provider, this.slots, url), this.provider, url);
  }

  async ask(): Promise<readonly ModelEvent[]> {
    const events: ModelEvent[] = [];
    for await (const event of this.#queued.stream(request, { signal: new AbortController().signal }))
      events.push(event);
    return events;
  }

  /** What was sent, in short. */
  get sent(): readonly (number | null | undefined)[] {
    return this.provider.requests.map(({ sampling }) => sampling.maxTokens);
  }
}

describe('the cache warmer', () => {
  it('sends the beginning of the next request once the server has been idle for a while', async () => {
    const bench = new Bench(response([thinking, text]), response([], { stopReason: 'length' }));
    await bench.ask();
    assert.deepEqual(bench.schedule.delays, [WARM_DELAY_MS]);
    bench.schedule.run();
    assert.deepEqual(bench.provider.requests[1], {
      ...request,
      messages: [
        question,
        { role: 'assistant', content: [thinking, text], stopReason: 'stop' },
        { role: 'user', content: '' },
      ],
      sampling: { temperature: 0.5, maxTokens: 0 },
    });
  });

  it('is cancelled by a request before it starts', async () => {
    const bench = new Bench(response([thinking, text]), textResponse('Hi.'));
    await bench.ask();
    await bench.ask();
    bench.schedule.run();
    assert.deepEqual(bench.sent, [100, 100]);
  });

  it('is stopped by a request that comes meanwhile, and never runs beside it', async () => {
    const held = hold();
    const bench = new Bench(response([thinking, text]), [held], textResponse('Hi.'));
    await bench.ask();
    bench.schedule.run();
    await held.reached;
    const events = await bench.ask();
    assert.deepEqual(events, textResponse('Hi.'));
    assert.deepEqual([bench.sent, bench.provider.abortedCount], [[100, 0, 100], 1]);
  });

  it('is cancelled by the request of another session', async () => {
    const held = hold();
    const bench = new Bench(response([thinking, text]), [held]);
    await bench.ask();
    bench.schedule.run();
    await held.reached;
    const other = await bench.slots.acquire('http://127.0.0.1:8080/v1', new AbortController().signal);
    assert.equal(bench.provider.abortedCount, 1);
    other?.release();
  });

  it('does not start while the server works on another request', async () => {
    const bench = new Bench(response([thinking, text]));
    await bench.ask();
    const other = await bench.slots.acquire(url, new AbortController().signal);
    bench.schedule.run();
    other?.release();
    assert.deepEqual(bench.sent, [100]);
  });

  it('ends with the extension', async () => {
    const held = hold();
    const bench = new Bench(response([thinking, text]), [held], response([thinking, text]));
    await bench.ask();
    bench.schedule.run();
    await held.reached;
    bench.warmer.dispose();
    await bench.ask();
    assert.deepEqual([bench.provider.abortedCount, bench.schedule.delays], [1, []]);
  });

  it('does no harm when it fails', async () => {
    const error = { code: 'server_error', message: 'No.' } as const;
    const bench = new Bench(response([thinking, text]), [{ type: 'error', error, partial: [] }], textResponse('Hi.'));
    await bench.ask();
    bench.schedule.run();
    assert.deepEqual(await bench.ask(), textResponse('Hi.'));
  });
});

describe('warmingRequest', () => {
  const call = toolUse('1', 'read_file');
  const result: Message = {
    role: 'tool',
    content: { type: 'tool_result', toolUseId: '1', content: 'text', isError: false },
  };
  const answer = (content: readonly AssistantBlock[], stopReason: ModelResponse['stopReason'] = 'stop') => ({
    responseId: '',
    model: 'm',
    content,
    stopReason,
  });

  it('happens for reasoning anywhere in the newest turn', () => {
    const earlier: Message = { role: 'assistant', content: [thinking, call] };
    assert.ok(warmingRequest({ ...request, messages: [question, earlier, result] }, answer([text])));
    assert.ok(warmingRequest(request, answer([thinking, text])));
  });

  it('does not happen when no reasoning is dropped, or the turn is not over', () => {
    assert.equal(warmingRequest(request, answer([text])), undefined);
    const past: readonly Message[] = [question, { role: 'assistant', content: [thinking, text] }, question];
    assert.equal(warmingRequest({ ...request, messages: past }, answer([text])), undefined);
    assert.equal(warmingRequest(request, answer([thinking, call], 'tool_use')), undefined);
    assert.equal(warmingRequest(request, answer([thinking], 'length')), undefined);
    assert.equal(warmingRequest(request, answer([])), undefined);
  });
});
