import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { EventStream } from '../../../../src/endpoint/http/eventStream';

interface Timer {
  readonly run: () => void;
  readonly delayMs: number;
}

describe('an event stream', () => {
  let timers: Timer[];
  const setTimer = (run: () => void, delayMs: number): { dispose: () => void } => {
    const timer = { run, delayMs };
    timers.push(timer);
    return { dispose: () => void (timers = timers.filter((other) => other !== timer)) };
  };

  beforeEach(() => {
    timers = [];
  });

  /** What a client has read when the stream has ended; one that does not read has nothing when it is cut off. */
  async function exchange(
    write: (stream: EventStream, response: ServerResponse) => Promise<void> | void,
    { reads = true } = {},
  ): Promise<string> {
    let failure: unknown;
    const server = createServer((_request, response) => {
      const stream = new EventStream(response, { setTimer, silenceMs: 10, idleMs: 60 });
      Promise.resolve(write(stream, response)).catch((error: unknown) => {
        failure = error;
        response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    let text = '';
    const ended = new Promise<void>((resolve) => {
      server.once('connection', (accepted) => accepted.once('close', resolve));
    });
    socket.write('GET / HTTP/1.0\r\n\r\n');
    const read = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (reads) socket.setEncoding('utf8').on('data', (part) => (text += part));
    await ended;
    if (!reads) socket.destroy();
    await read;
    const body = text.split('\r\n\r\n')[1] ?? '';
    await new Promise<void>((resolve) => server.close(() => resolve()));
    if (failure instanceof Error) throw failure;
    return body;
  }

  it('shows in silence that it lives, and keeps comments in one line', async () => {
    const body = await exchange((stream) => {
      stream.send({ a: '\n' });
      assert.deepEqual(
        timers.map(({ delayMs }) => delayMs),
        [10],
      );
      timers[0]?.run();
      stream.comment('two\n\ndata: lines');
      stream.end();
    });
    assert.equal(body, 'data: {"a":"\\n"}\n\n: still working\n\n: two data: lines\n\ndata: [DONE]\n\n');
    assert.deepEqual(timers, []);
  });

  it('cuts off a client that reads nothing', async () => {
    await exchange(
      async (stream, response) => {
        while (!response.writableNeedDrain) stream.send({ text: 'x'.repeat(100_000) });
        const drained = stream.drained();
        timers.find(({ delayMs }) => delayMs === 60)?.run();
        await drained;
        stream.send({ text: 'to nobody' });
        stream.end();
        assert.deepEqual([response.destroyed, timers], [true, []]);
      },
      { reads: false },
    );
  });
});
