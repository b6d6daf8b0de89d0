import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { EventStream } from '../../../../src/endpoint/http/eventStream';
import { ManualSchedule } from '../../../support/manualSchedule';

describe('an event stream', () => {
  let schedule: ManualSchedule;

  beforeEach(() => {
    schedule = new ManualSchedule();
  });

  /** What a client has read when the stream has ended; one that does not read has nothing when it is cut off. */
  async function exchange(
    write: (stream: EventStream, response: ServerResponse) => Promise<void> | void,
    { reads = true } = {},
  ): Promise<string> {
    let failure: unknown;
    const server = createServer((_request, response) => {
      const stream = new EventStream(response, { setTimer: schedule.schedule, silenceMs: 10, idleMs: 60 });
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

  it('sends comments during silence, each on one line', async () => {
    const body = await exchange((stream) => {
      stream.send({ a: '\n' });
      assert.deepEqual(schedule.delays, [10]);
      schedule.run();
      stream.comment('two\n\ndata: lines');
      stream.end();
    });
    assert.equal(body, 'data: {"a":"\\n"}\n\n: still working\n\n: two data: lines\n\ndata: [DONE]\n\n');
    assert.deepEqual(schedule.delays, []);
  });

  it('cuts off a client that reads nothing', async () => {
    await exchange(
      async (stream, response) => {
        while (!response.writableNeedDrain) stream.send({ text: 'x'.repeat(100_000) });
        const drained = stream.drained();
        schedule.run(60);
        await drained;
        stream.send({ text: 'to nobody' });
        stream.end();
        assert.deepEqual([response.destroyed, schedule.delays], [true, []]);
      },
      { reads: false },
    );
  });
});
