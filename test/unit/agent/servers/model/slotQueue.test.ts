import assert from 'node:assert/strict';
import { SlotQueue, withSlot } from '../../../../../src/agent/servers/model/slotQueue';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../../../src/sdk/model/modelProvider';

const url = 'http://localhost:8080/v1';
const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };
const end: ModelEvent = { type: 'response_end', responseId: '1', model: 'm', content: [], stopReason: 'stop' };
const connecting: ModelEvent = { type: 'status', status: 'connecting' };

/** A provider whose streams end when the test says so. */
function heldProvider() {
  const releases: (() => void)[] = [];
  let open = 0;
  let mostOpen = 0;
  const provider: ModelProvider = {
    async *stream() {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      const released = new Promise<void>((resolve) => releases.push(resolve));
      try {
        yield connecting;
        await released;
        yield end;
      } finally {
        open -= 1;
      }
    },
  };
  return {
    provider,
    releases,
    get started() {
      return releases.length;
    },
    get mostOpen() {
      return mostOpen;
    },
  };
}

function start(provider: ModelProvider, signal = new AbortController().signal) {
  return provider.stream(request, { signal })[Symbol.asyncIterator]();
}

async function drain(stream: AsyncIterator<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for (let next = await stream.next(); !next.done; next = await stream.next()) events.push(next.value);
  return events;
}

describe('slot queue', () => {
  it('lets yielding requests wait until no other request does', async () => {
    const queue = new SlotQueue();
    const { signal } = new AbortController();
    const order: string[] = [];
    const enter = async (name: string, yields: boolean): Promise<void> => {
      const slot = await queue.acquire(url, signal, { yields });
      order.push(name);
      slot?.release();
    };
    const first = await queue.acquire(url, signal, { yields: true });
    const programs = [enter('program 1', true), enter('program 2', true)];
    assert.deepEqual([queue.ahead(url), queue.ahead(url, { yields: true })], [1, 3]);
    const person = enter('person', false);
    assert.deepEqual([queue.ahead(url), queue.ahead(url, { yields: true })], [2, 4]);
    const leaving = new AbortController();
    const left = queue.acquire(url, leaving.signal, { yields: true });
    leaving.abort();
    assert.equal(await left, undefined);
    assert.equal(queue.acquireIdle(url), undefined);
    first?.release();
    await Promise.all([...programs, person]);
    assert.deepEqual(order, ['person', 'program 1', 'program 2']);
  });

  it('sends one request at a time to a server, in order', async () => {
    const held = heldProvider();
    const provider = withSlot(held.provider, new SlotQueue(), url);
    const first = start(provider);
    assert.deepEqual((await first.next()).value, connecting);
    const second = start(provider);
    const third = start(provider);
    assert.deepEqual((await second.next()).value, {
      type: 'status',
      status: 'queued',
      detail: 'behind another request',
    });
    const secondRest = drain(second);
    assert.deepEqual((await third.next()).value, {
      type: 'status',
      status: 'queued',
      detail: 'behind 2 other requests',
    });
    const thirdRest = drain(third);
    assert.equal(held.started, 1);
    held.releases[0]!();
    assert.deepEqual(await drain(first), [end]);
    await Promise.resolve();
    assert.equal(held.started, 2);
    held.releases[1]!();
    assert.deepEqual(await secondRest, [connecting, end]);
    held.releases[2]!();
    assert.deepEqual(await thirdRest, [connecting, end]);
    assert.equal(held.mostOpen, 1);
  });

  it('reports no wait when a slot is free', async () => {
    const held = heldProvider();
    const stream = start(withSlot(held.provider, new SlotQueue(), url));
    assert.deepEqual((await stream.next()).value, connecting);
    await stream.return?.();
  });

  it('sends as many requests as the server has slots, and waiting ones when it reports more slots', async () => {
    const queue = new SlotQueue();
    const signal = new AbortController().signal;
    const slots = [queue.acquire(url, signal), queue.acquire(url, signal), queue.acquire(url, signal)];
    assert.equal(queue.ahead(url), 3);
    queue.setSize(url, 2);
    await Promise.all(slots.slice(0, 2));
    assert.equal(queue.ahead(url), 2);
    (await slots[0])!.release();
    await slots[2];
    assert.equal(queue.ahead(url), 1);
  });

  it('never has fewer than one slot, whatever is reported', async () => {
    const queue = new SlotQueue();
    for (const slots of [0, -1, Number.NaN]) {
      queue.setSize(url, slots);
      assert.equal(queue.ahead(url), 0);
    }
  });

  it('frees a slot once, even when released twice', async () => {
    const queue = new SlotQueue();
    const signal = new AbortController().signal;
    const slot = await queue.acquire(url, signal);
    slot!.release();
    slot!.release();
    await queue.acquire(url, signal);
    assert.equal(queue.ahead(url), 1);
  });

  it('separates servers, and treats loopback names and paths as one server', async () => {
    const queue = new SlotQueue();
    await queue.acquire('http://localhost:8080/v1', new AbortController().signal);
    assert.deepEqual(
      [
        'http://127.0.0.1:8080/v1',
        'http://[::1]:8080/other/v1',
        'http://localhost:1234/v1',
        'http://gpu.lan:8080/v1',
      ].map((other) => queue.ahead(other)),
      [1, 1, 0, 0],
    );
  });

  it('leaves the queue when it is stopped while waiting', async () => {
    const queue = new SlotQueue();
    const held = heldProvider();
    const provider = withSlot(held.provider, queue, url);
    const slot = await queue.acquire(url, new AbortController().signal);
    const controller = new AbortController();
    const waiting = drain(start(provider, controller.signal));
    await Promise.resolve();
    controller.abort();
    assert.deepEqual(await waiting, [
      { type: 'status', status: 'queued', detail: 'behind another request' },
      {
        type: 'error',
        error: { code: 'interrupted', message: 'Stopped while waiting for the model server.' },
        partial: [],
      },
    ]);
    slot!.release();
    assert.equal(queue.ahead(url), 0);
    assert.equal(held.started, 0);
  });

  it('takes no slot for a request that was already stopped', async () => {
    const queue = new SlotQueue();
    assert.equal(await queue.acquire(url, AbortSignal.abort()), undefined);
    assert.equal(queue.ahead(url), 0);
  });

  it('frees the slot when the stream is left early', async () => {
    const queue = new SlotQueue();
    const stream = start(withSlot(heldProvider().provider, queue, url));
    await stream.next();
    assert.equal(queue.ahead(url), 1);
    await stream.return?.();
    assert.equal(queue.ahead(url), 0);
  });

  it('holds no slot between two requests of a session', async () => {
    const queue = new SlotQueue();
    const provider = withSlot({ stream: () => streamOf(end) }, queue, url);
    assert.deepEqual(await drain(start(provider)), [end]);
    assert.equal(queue.ahead(url), 0);
  });
});

async function* streamOf(...events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}
