import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFetch, type TransportRequestInit } from '../../src/sdk/model/httpTransport';

describe('createFetch', () => {
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    servers.push({ close: () => (server.closeAllConnections(), server.close()) });
    return (server.address() as AddressInfo).port;
  }

  const echo: RequestListener = (request, response) => {
    response.writeHead(201, 'Made', { 'x-method': request.method, 'set-cookie': ['a=1', 'b=2'] });
    request.pipe(response);
  };

  it('answers as fetch does', async () => {
    const url = `http://127.0.0.1:${await serve(echo)}/a?b=c`;
    const seen: unknown[] = [];
    const fetch = createFetch({ onRequest: (info) => seen.push(info) });
    const response = await fetch(url, { method: 'POST', body: 'é' });
    assert.deepEqual(
      [response.status, response.statusText, response.ok, response.url, response.headers.get('x-method')],
      [201, 'Made', true, url, 'POST'],
    );
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(await response.text(), 'é');
    assert.deepEqual(seen, [{ url, method: 'POST' }]);
  });

  it('takes bodies and requests of every kind', async () => {
    const url = `http://127.0.0.1:${await serve(echo)}`;
    const fetch = createFetch();
    const bodies = [new Uint8Array([97, 98]), new Blob(['ab']), new URLSearchParams({ ab: '' })];
    const texts = await Promise.all(bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).text()));
    assert.deepEqual(texts, ['ab', 'ab', 'ab=']);
    assert.equal(await (await fetch(new Request(url, { method: 'PUT', body: 'x' }))).text(), 'x');
    assert.equal(await (await fetch(new URL(url))).text(), '');
  });

  it('follows no redirect, and gives answers that have no body', async () => {
    const url = `http://127.0.0.1:${await serve((request, response) => {
      response.writeHead(request.url === '/none' ? 204 : 302, { location: '/none' }).end();
    })}`;
    const fetch = createFetch();
    assert.equal((await fetch(url)).status, 302);
    assert.equal((await fetch(`${url}/none`)).body, null);
    assert.equal((await fetch(url, { method: 'HEAD' })).body, null);
  });

  it('reaches a server that listens on one of the addresses of localhost', async () => {
    const port = await serve(echo);
    assert.equal((await createFetch()(`http://localhost:${port}`)).status, 201);
  });

  it('uses a connection of its own for every request', async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const fetch = createFetch();
    for (let round = 0; round < 3; round++) await (await fetch(`http://127.0.0.1:${port}`)).text();
    assert.equal(ports.size, 3);
  });

  it('tells when the request is out, and not when nobody took it', async () => {
    const port = await serve(echo);
    let sent = 0;
    const init: TransportRequestInit = { method: 'POST', body: 'x', onSent: () => sent++ };
    await (await createFetch()(`http://127.0.0.1:${port}`, init)).text();
    assert.equal(sent, 1);
    for (const server of servers.splice(0)) server.close();
    await assert.rejects(createFetch()(`http://127.0.0.1:${port}`, init), { code: 'ECONNREFUSED' });
    assert.equal(sent, 1);
  });

  it('rejects with the reason of the signal, before the headers and in the body', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const port = await serve((request, response) => {
      closed = once(request.socket, 'close');
      if (request.url === '/body') response.write('x');
      else controller.abort(reason);
    });
    const reason = new Error('enough');
    const fetch = createFetch();
    let controller = new AbortController();
    await assert.rejects(fetch(`http://127.0.0.1:${port}`, { signal: controller.signal }), reason);
    await closed;

    controller = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/body`, { signal: controller.signal });
    const reader = response.body?.getReader();
    assert.deepEqual((await reader?.read())?.value?.toString(), 'x');
    controller.abort(reason);
    await assert.rejects(async () => reader?.read(), reason);
    await closed;
    await assert.rejects(fetch(`http://127.0.0.1:${port}`, { signal: controller.signal }), reason);
  });

  it('closes the connection when the body is cancelled', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const port = await serve((request, response) => {
      closed = once(request.socket, 'close');
      response.write('x');
    });
    const response = await createFetch()(`http://127.0.0.1:${port}`);
    await response.body?.cancel();
    await closed;
  });

  it('rejects in the body when the connection breaks, after what came before', async () => {
    const port = await serve((_request, response) => response.write('x', () => response.destroy()));
    const reader = (await createFetch()(`http://127.0.0.1:${port}`)).body?.getReader();
    assert.equal((await reader?.read())?.value?.toString(), 'x');
    await assert.rejects(async () => reader?.read(), { code: 'ECONNRESET' });
  });
});
