import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Bridge } from '../../../src/bridge/bridge';
import { Consents } from '../../../src/bridge/consents';
import { limits, type BridgeReply } from '../../../src/bridge/messages';
import { parseReply } from '../../../src/host/laptop/parseReply';
import { createBridgedFetch } from '../../../src/host/laptop/bridgedFetch';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { allowedPaths } from '../../../src/bridge/allowedRequests';
import { deferred } from '../../support/servers/gate';
import { ManualSchedule } from '../../support/manualSchedule';

/** What VS Code does with the arguments and results of a command between two extension hosts. */
const overTheWire = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

interface Laptop {
  readonly bridge: Bridge;
  readonly clock: ManualSchedule;
  readonly fetch: typeof fetch;
  readonly ask: (message: object) => Promise<BridgeReply>;
  readonly calls: unknown[];
  readonly keys: Map<string, string>;
  answer: 'always' | 'window' | 'no';
}

describe('the bridge, with a real server', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => (server.closeAllConnections(), server.close()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function openLaptop({ isRemote = true, store = new Map<string, unknown>() } = {}): Laptop {
    const keys = new Map<string, string>();
    const clock = new ManualSchedule();
    const calls: unknown[] = [];
    const consents = new Consents({
      remote: () => ({ id: 'ssh-remote+box', name: 'box (ssh-remote)' }),
      ask: () => Promise.resolve(laptop.answer),
      memory: { get: (key) => store.get(key), update: (key, value) => Promise.resolve(void store.set(key, value)) },
      now: () => performance.now(),
    });
    const bridge = new Bridge({
      consents,
      fetch: createFetch(),
      keyOf: (origin) => Promise.resolve(keys.get(origin)),
      chooseServer: () => Promise.resolve(undefined),
      changeKey: () => Promise.resolve(false),
      isRemote: () => isRemote,
      newId: () => crypto.randomUUID(),
      setTimer: clock.schedule,
      onChange: () => undefined,
    });
    ends.push(() => bridge.dispose());
    const call = async (_command: string, message: unknown): Promise<unknown> => {
      calls.push(message);
      return overTheWire(await bridge.answer(overTheWire(message)));
    };
    const ask = async (message: object): Promise<BridgeReply> => {
      const reply = parseReply(await call('', { version: 1, ...message }));
      assert.ok(reply);
      return reply;
    };
    const laptop: Laptop = {
      bridge,
      clock,
      calls,
      keys,
      ask,
      fetch: createBridgedFetch(call, () => true),
      answer: 'window',
    };
    return laptop;
  }

  const post = (body: string): RequestInit => ({
    method: 'POST',
    headers: { authorization: 'Bearer of-the-remote', 'x-evil': '1', host: 'evil.example' },
    body,
  });

  it('sends a completion and its headers, and none of the remote', async () => {
    const seen: unknown[] = [];
    const origin = await serve((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        seen.push({ method: request.method, url: request.url, headers: request.headers, text });
        response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' }).end('{"é":1}');
      });
    });
    const laptop = openLaptop();
    let sent = 0;
    const init = { ...post('{"ü":"x"}'), onSent: () => (sent += 1) };
    const response = await laptop.fetch(`${origin}/v1/chat/completions`, init);
    assert.deepEqual([response.status, [...response.headers]], [200, [['content-type', 'application/json']]]);
    assert.equal(await response.text(), '{"é":1}');
    assert.equal(sent, 1);
    assert.deepEqual(seen, [
      {
        method: 'POST',
        url: '/v1/chat/completions',
        headers: {
          accept: 'text/event-stream, application/json',
          'accept-encoding': 'identity',
          connection: 'close',
          'content-length': '10',
          'content-type': 'application/json',
          host: origin.slice('http://'.length),
        },
        text: '{"ü":"x"}',
      },
    ]);
    assert.equal(laptop.bridge.openCount, 0);
  });

  it('passes streams on byte for byte, an event as soon as it was written', async () => {
    let stream: ServerResponse | undefined;
    const origin = await serve((_request, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.flushHeaders();
    });
    const response = await openLaptop().fetch(`${origin}/v1/chat/completions`, post('{}'));
    const reader = response.body!.getReader();
    // Characters of several bytes are cut, and bytes that are no text stand between.
    const bytes = Buffer.concat([Buffer.from('data: {"é":"🙂"}\n\n'), Buffer.from([0, 255, 254, 128, 13, 10])]);
    const got: number[] = [];
    for (const byte of bytes) {
      stream!.write(Buffer.from([byte]));
      // The next byte is written only when this one was read.
      const { value, done } = await reader.read();
      assert.equal(done, false);
      got.push(...value!);
    }
    stream!.end();
    assert.equal((await reader.read()).done, true);
    assert.deepEqual(got, [...bytes]);
  });

  it('tells the remote no key that the server repeats, in whatever answer', async () => {
    const key = 'sk-0123456789abcdef0123456789';
    for (const status of [200, 401]) {
      const origin = await serve((request, response) => {
        response.writeHead(status, { 'content-type': 'text/event-stream' });
        const answer = `data: {"error":"wrong ${request.headers.authorization}"}\n\ndata: [DONE]\n\n`;
        for (const letter of answer) response.write(letter);
        response.end();
      });
      const laptop = openLaptop();
      laptop.keys.set(origin, key);
      const told = await (await laptop.fetch(`${origin}/v1/chat/completions`, post('{}'))).text();
      assert.equal(told, 'data: {"error":"wrong Bearer [the API key]"}\n\ndata: [DONE]\n\n');
    }
  });

  it('passes any bytes on, in any pieces', async () => {
    let pieces: readonly Uint8Array[] = [];
    const origin = await serve((_request, response) => {
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    const { fetch } = openLaptop();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 70_000, size: 'max' }), { maxLength: 4 }),
        async (given) => {
          pieces = given;
          const response = await fetch(`${origin}/v1/models`);
          assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.concat(given));
        },
      ),
      { numRuns: 30, seed: 7 },
    );
  });

  it('lets the server wait when nobody reads', async () => {
    let written = 0;
    const origin = await serve((_request, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(100_000, 'x');
      const more = (): void => {
        while (written < 40_000_000) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const laptop = openLaptop();
    const response = await laptop.fetch(`${origin}/v1/chat/completions`, post('{}'));
    // What the kernel and both ends keep is far less than the whole: asks until it does not grow any more.
    for (let before = -1; before !== written;) {
      before = written;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(written < 20_000_000, true, `${written} bytes were written`);
    let total = 0;
    for await (const part of response.body!) total += (part as Uint8Array).byteLength;
    assert.equal(total, 40_000_000);
  });

  it('tells that a stream was cut, after what came before', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const response = await openLaptop().fetch(`${origin}/v1/chat/completions`, post('{}'));
    const reader = response.body!.getReader();
    assert.equal(Buffer.from((await reader.read()).value).toString(), 'half');
    await assert.rejects(reader.read(), /closed|aborted|reset/i);
  });

  it('tells how a server could not be reached', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await assert.rejects(openLaptop().fetch(`http://127.0.0.1:${port}/v1/models`), { code: 'ECONNREFUSED' });
  });

  for (const when of ['before the answer', 'during the answer'] as const) {
    it(`closes the connection when the remote aborts ${when}`, async () => {
      const arrived = deferred();
      const closed = deferred();
      const origin = await serve((request, response) => {
        request.socket.on('close', () => closed.resolve());
        request.resume();
        if (when === 'during the answer') response.writeHead(200).write('x');
        arrived.resolve();
      });
      const laptop = openLaptop();
      const abort = new AbortController();
      const sending = laptop.fetch(`${origin}/v1/chat/completions`, { ...post('{}'), signal: abort.signal });
      await arrived.promise;
      const reason = new Error('enough');
      if (when === 'before the answer') {
        abort.abort(reason);
        await assert.rejects(sending, reason);
      } else {
        const reader = (await sending).body!.getReader();
        await reader.read();
        abort.abort(reason);
        await assert.rejects(reader.read());
      }
      await closed.promise;
      assert.equal(laptop.bridge.openCount, 0);
    });
  }

  it('closes the connection when the body is left', async () => {
    const closed = deferred();
    const origin = await serve((request, response) => {
      request.socket.on('close', () => closed.resolve());
      response.writeHead(200).write('x');
    });
    const laptop = openLaptop();
    const response = await laptop.fetch(`${origin}/v1/models`);
    await response.body!.cancel();
    await closed.promise;
    assert.equal(laptop.bridge.openCount, 0);
  });

  it('ends a request whose remote has gone, waiting for a read or with a read open', async () => {
    for (const isReading of [false, true]) {
      const [arrived, closed] = [deferred(), deferred()];
      const origin = await serve((request) => {
        request.socket.on('close', () => closed.resolve());
        arrived.resolve();
      });
      const laptop = openLaptop();
      const started = await laptop.ask({
        type: 'start',
        origin,
        path: '/v1/chat/completions',
        body: '{}',
        mayAsk: true,
      });
      assert.equal(started.kind, 'started');
      const { id } = started as { id: string };
      await arrived.promise;
      if (isReading) {
        // The remote dies while it reads: `sent` answers the first read, silence the second.
        await laptop.ask({ type: 'read', id });
        const last = laptop.ask({ type: 'read', id });
        await new Promise((resolve) => setImmediate(resolve));
        laptop.clock.run(limits.readMs);
        assert.deepEqual(await last, { kind: 'events', events: [] });
      }
      assert.equal(laptop.bridge.openCount, 1);
      laptop.clock.run(limits.leaseMs);
      await closed.promise;
      assert.equal(laptop.bridge.openCount, 0);
      assert.deepEqual(laptop.clock.delays, []);
      const gone = await laptop.ask({ type: 'read', id });
      assert.equal(gone.kind === 'refused' && gone.reason, 'gone');
    }
  });

  it('goes on over a long silence', async () => {
    let stream: ServerResponse | undefined;
    const arrived = deferred();
    const origin = await serve((_request, response) => {
      stream = response;
      arrived.resolve();
    });
    const laptop = openLaptop();
    const sending = laptop.fetch(`${origin}/v1/chat/completions`, post('{}'));
    await arrived.promise;
    for (let silence = 0; silence < 20; silence += 1) {
      while (!laptop.clock.delays.includes(limits.readMs)) await new Promise((resolve) => setImmediate(resolve));
      laptop.clock.run(limits.readMs);
    }
    stream!.end('late');
    assert.equal(await (await sending).text(), 'late');
  });

  it('sends nothing without consent, and nothing after it was taken back', async () => {
    let arrived = 0;
    const origin = await serve((_request, response) => {
      arrived += 1;
      response.writeHead(200).write('x');
    });
    const laptop = openLaptop();
    laptop.answer = 'no';
    const refused = await laptop.fetch(`${origin}/v1/models`);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /You have not allowed .*To be asked again/);
    assert.equal(arrived, 0);

    const second = openLaptop();
    const response = await second.fetch(`${origin}/v1/models`);
    const reader = response.body!.getReader();
    await reader.read();
    await second.bridge.revoke(origin);
    await assert.rejects(reader.read(), /ended the request/);
    assert.match(await (await second.fetch(`${origin}/v1/models`)).text(), /You have not allowed/);
    assert.equal(arrived, 1);
  });

  it('ends an answer when another window takes the consent back', async () => {
    let response: ServerResponse | undefined;
    const origin = await serve((_request, answer) => {
      response = answer;
      answer.writeHead(200).write('x');
    });
    const closed = (): Promise<void> => new Promise((resolve) => response!.on('close', resolve));
    for (const answer of ['window', 'always'] as const) {
      const store = new Map<string, unknown>();
      const [here, there] = [openLaptop({ store }), openLaptop({ store })];
      here.answer = there.answer = answer;
      const reader = (await there.fetch(`${origin}/v1/models`)).body!.getReader();
      await reader.read();
      const end = closed();
      await here.bridge.revoke(origin);
      response!.write('more');
      await assert.rejects(async () => {
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          // The read that was under way may still tell what had come.
        }
      }, /ended the request/);
      await end;
      assert.match(await (await there.fetch(`${origin}/v1/models`)).text(), /You have not allowed/);
    }
  });

  it('does not follow a redirect', async () => {
    const target = await serve((_request, response) => void response.end('secret'));
    const origin = await serve((_request, response) => {
      response.writeHead(307, { location: `${target}/v1/models` }).end();
    });
    const response = await openLaptop().fetch(`${origin}/v1/models`);
    assert.deepEqual([response.status, response.headers.get('location')], [307, `${target}/v1/models`]);
    assert.equal(await response.text(), '');
  });

  it('adds the key of the laptop, and does not tell it', async () => {
    const key = 'sk/laptop"0123456789';
    const origin = await serve((request, response) => {
      const given = request.headers.authorization ?? '';
      const body = { error: { message: `Incorrect API key provided: ${given}` } };
      const escaped = JSON.stringify(body).replaceAll('/', '\\/');
      response.writeHead(401, { 'content-type': 'application/json', location: given }).end(`${escaped}\n${given}`);
    });
    const laptop = openLaptop();
    laptop.keys.set(origin, key);
    const response = await laptop.fetch(`${origin}/v1/chat/completions`, post('{}'));
    const told = `${await response.text()}${response.headers.get('location')}`;
    assert.equal(told.split('[the API key]').length - 1, 3, told);
    assert.equal(/sk|0123456789|of-the-remote/.test(told), false, told);
  });

  it('does not tell the beginning of a key that a long error ends in', async () => {
    const key = 'sk-laptop-0123456789';
    const origin = await serve((_request, response) => {
      response.writeHead(400);
      response.end('x'.repeat(limits.errorBytes - 10) + key);
    });
    const laptop = openLaptop();
    laptop.keys.set(origin, key);
    const text = await (await laptop.fetch(`${origin}/v1/models`)).text();
    assert.equal(text.replaceAll('x', '').replaceAll('[the API key]', ''), '');
  });

  it('bounds the open requests and the size of answers', async () => {
    const origin = await serve((request, response) => {
      if (request.url !== '/v1/models') return;
      response.writeHead(200);
      const piece = Buffer.alloc(1_000_000, 'x');
      const more = (): void => void (response.write(piece) ? setImmediate(more) : response.once('drain', more));
      more();
    });
    const laptop = openLaptop();
    await assert.rejects((await laptop.fetch(`${origin}/v1/models`)).text(), /more than 9 MB/);
    const starts = Array.from({ length: limits.openRequests + 3 }, () =>
      laptop.ask({ type: 'start', origin, path: '/version' }),
    );
    const kinds = (await Promise.all(starts)).map((reply) => (reply.kind === 'refused' ? reply.reason : reply.kind));
    assert.equal(kinds.filter((kind) => kind === 'started').length, limits.openRequests);
    assert.equal(kinds.filter((kind) => kind === 'busy').length, 3);
  });

  it('refuses other paths before anything is asked or sent', async () => {
    const laptop = openLaptop();
    for (const url of [
      'http://127.0.0.1:1/models/load',
      'http://127.0.0.1:1/v1/models?x=1',
      'http://127.0.0.1:1/api/pull',
    ]) {
      const refused = await laptop.fetch(url);
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /does not send requests to/);
    }
    assert.deepEqual(laptop.calls, []);
  });

  it('answers only in a remote window, and only messages of its version', async () => {
    const local = openLaptop({ isRemote: false });
    const reply = await local.ask({ type: 'start', origin: 'http://127.0.0.1:1', path: '/v1/models' });
    assert.deepEqual(reply, {
      kind: 'refused',
      reason: 'request',
      message: 'This window is not connected to a remote.',
    });
    const other = await openLaptop().ask({ type: 'status', version: 7 });
    assert.equal(other.kind, 'refused');
  });

  it('names the way out when the bridge is missing', async () => {
    const missing = createBridgedFetch(
      (command) => Promise.reject(new Error(`command '${command}' not found`)),
      () => true,
    );
    await assert.rejects(
      missing('http://127.0.0.1:1/v1/models'),
      /Open Agent Bridge is not installed.*Install from VSIX/,
    );
  });

  it('sends no message of a remote to another server, path or method, or with other headers', async () => {
    const seen: IncomingMessage[] = [];
    const origin = await serve((request, response) => {
      seen.push(request);
      request.resume();
      response.end('{}');
    });
    let strays = 0;
    const elsewhere = await serve((_request, response) => {
      strays += 1;
      response.end();
    });
    const host = origin.slice('http://'.length);
    const wrong = fc.constantFrom(
      ...[elsewhere, `${origin}/`, `http://x@${host}`, `${origin}@${elsewhere.slice(7)}`, `HTTP://${host}`],
      ...[`${origin}\\@${elsewhere.slice(7)}`, `${origin}#`, `${origin}?x`, '', 'null', `http://${host}\n`],
    );
    const path = fc.oneof(
      fc.constantFrom(...Object.keys(allowedPaths)),
      fc.constantFrom(
        '/v1/models/..',
        '//x',
        '/%76%31/models',
        `@${elsewhere.slice(7)}/v1/models`,
        '/v1/models\r\nx: y',
      ),
      fc.string({ unit: 'binary' }),
    );
    const plain = fc.record({
      version: fc.oneof({ arbitrary: fc.constant(1), weight: 9 }, fc.anything()),
      type: fc.oneof({ arbitrary: fc.constant('start'), weight: 9 }, fc.constantFrom('read', 'status', 'setKey', 'x')),
      origin: fc.oneof({ arbitrary: fc.constant(origin), weight: 3 }, wrong, fc.anything()),
      path: fc.oneof({ arbitrary: path, weight: 9 }, fc.anything()),
    });
    const model = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('a&autoload=true'), fc.anything());
    const body = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('{}'), fc.anything());
    const more = fc.oneof(
      { arbitrary: fc.constant({}), weight: 3 },
      fc.constant({ mayAsk: true }),
      { arbitrary: fc.record({ body }), weight: 3 },
      { arbitrary: fc.record({ model, path: fc.constant('/props') }), weight: 2 },
      fc.record({ body, model }),
      fc.constantFrom({ headers: { host: 'evil.example' } }, { method: 'DELETE' }),
    );
    const message = fc.tuple(plain, more).map(([one, other]) => ({ ...one, ...other }));
    const laptop = openLaptop();
    // The person has agreed to this one server.
    assert.equal((await laptop.fetch(`${origin}/v1/models`)).ok, true);
    laptop.answer = 'no';
    await fc.assert(
      fc.asyncProperty(fc.oneof({ arbitrary: message, weight: 9 }, fc.anything()), async (given) => {
        const reply = parseReply(overTheWire(await laptop.bridge.answer(given)));
        assert.ok(reply);
        if (reply.kind !== 'started') return;
        for (let isOver = false; !isOver;) {
          const next = await laptop.ask({ type: 'read', id: reply.id });
          isOver = next.kind !== 'events' || next.events.some(({ type }) => type === 'end' || type === 'failed');
        }
      }),
      { numRuns: 2_000, seed: 3 },
    );
    assert.equal(strays, 0);
    assert.equal(seen.length > 50, true, `${seen.length} requests`);
    const known = [
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'transfer-encoding',
    ];
    for (const { method, url, headers } of seen) {
      const [pathname = '', query] = url!.split('?');
      assert.equal(method, allowedPaths[pathname as keyof typeof allowedPaths], url);
      if (query !== undefined) assert.match(query, /^model=[^&]+&autoload=false$/);
      assert.equal(headers.host, host);
      assert.deepEqual(
        Object.keys(headers).filter((name) => !known.includes(name)),
        [],
      );
    }
  });
});
