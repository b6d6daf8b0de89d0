import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { Client } from '../../../src/sdk/client';
import { readAuthorities } from '../../../src/sdk/model/http/certificateAuthority';
import { createFetch, type TransportRequestInit } from '../../../src/sdk/model/http/httpTransport';
import { describeFetchError } from '../../../src/sdk/model/errors/httpErrors';
import { fixturePath } from '../../support/files/fixturePath';

describe('createFetch', () => {
  const servers: { close(): void }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const certificates = fixturePath('certificates');
  const pem = (name: string): string => readFileSync(path.join(certificates, name), 'utf8');

  async function serve(listener: RequestListener, host = '127.0.0.1', isSecure = false): Promise<number> {
    const server = isSecure
      ? createSecureServer({ key: pem('server.key'), cert: pem('server.pem') }, listener)
      : createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    servers.push({ close: () => (server.closeAllConnections(), server.close()) });
    return (server.address() as AddressInfo).port;
  }

  const echo: RequestListener = (request, response) => {
    response.writeHead(201, 'Made', { 'x-method': request.method, 'set-cookie': ['a=1', 'b=2'] });
    request.pipe(response);
  };

  it('answers like fetch', async () => {
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

  it('accepts every kind of body and request', async () => {
    const url = `http://127.0.0.1:${await serve(echo)}`;
    const fetch = createFetch();
    const bodies = [new Uint8Array([97, 98]), new Blob(['ab']), new URLSearchParams({ ab: '' })];
    const texts = await Promise.all(bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).text()));
    assert.deepEqual(texts, ['ab', 'ab', 'ab=']);
    assert.equal(await (await fetch(new Request(url, { method: 'PUT', body: 'x' }))).text(), 'x');
    assert.equal(await (await fetch(new URL(url))).text(), '');
  });

  it('follows no redirect, and returns answers without a body', async () => {
    const url = `http://127.0.0.1:${await serve((request, response) => {
      response.writeHead(request.url === '/none' ? 204 : 302, { location: '/none' }).end();
    })}`;
    const fetch = createFetch();
    assert.equal((await fetch(url)).status, 302);
    assert.equal((await fetch(`${url}/none`)).body, null);
    assert.equal((await fetch(url, { method: 'HEAD' })).body, null);
  });

  describe('reaches localhost, however the name resolves', () => {
    for (const host of ['127.0.0.1', '::1']) {
      it(`when the server listens only on ${host}`, async () => {
        const port = await serve(echo, host);
        assert.equal((await createFetch()(`http://localhost:${port}`)).status, 201);
        assert.equal((await createFetch()(`http://LOCALHOST.:${port}`)).status, 201);
        assert.equal((await createFetch()(`http://gpu.localhost:${port}`)).status, 201);
      });
    }

    it('and reports when nothing listens on either address', async () => {
      const port = await serve(echo);
      for (const server of servers.splice(0)) server.close();
      const url = `http://localhost:${port}`;
      await assert.rejects(createFetch()(url), (error) => {
        assert.match(describeFetchError(error, { url }).message, /the connection was refused/);
        return true;
      });
    });
  });

  describe('private certificate authorities', () => {
    const authority = path.join(certificates, 'authority.pem');
    let url: string;
    beforeEach(async () => {
      url = `https://localhost:${await serve(echo, '127.0.0.1', true)}`;
    });

    it('are not trusted by default', async () => {
      for (const ca of [undefined, '', () => undefined]) {
        await assert.rejects(createFetch({ ca })(url), (error) => {
          const { code, message } = describeFetchError(error, { url });
          assert.equal(code, 'connection');
          assert.match(message, /certificate of localhost:\d+ is not trusted .*openAgent\.certificateAuthority.*--ca/);
          return true;
        });
      }
    });

    it('are trusted if given as text, as a path, or by a function that is called every time', async () => {
      const setting = { ca: '' };
      for (const ca of [pem('authority.pem'), authority]) assert.equal((await createFetch({ ca })(url)).status, 201);
      const fetch = createFetch({ ca: () => setting.ca });
      await assert.rejects(fetch(url));
      setting.ca = authority;
      assert.equal((await fetch(url)).status, 201);
    });

    it('are not trusted if another authority is given', async () => {
      await assert.rejects(createFetch({ ca: rootCertificates[0] })(url), { code: /VERIFY|SELF_SIGNED/ });
    });

    it('are added to the usual ones', async () => {
      const all = await readAuthorities(authority);
      for (const usual of rootCertificates) assert.ok(all?.includes(usual));
      assert.equal(all?.at(-1), pem('authority.pem').trim());
    });

    it('are named if their file cannot be used, and only when needed', async () => {
      for (const [ca, words] of [
        [path.join(certificates, 'none.pem'), /none\.pem cannot be read: ENOENT/],
        [path.join(certificates, 'README.md'), /README\.md holds no certificate. It must be PEM/],
        ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /authority holds a broken certificate/],
      ] as const) {
        await assert.rejects(createFetch({ ca })(url), (error) => {
          assert.match(describeFetchError(error, { url }).message, words);
          return true;
        });
        assert.equal((await createFetch({ ca })(`http://127.0.0.1:${await serve(echo)}`)).status, 201);
      }
    });

    it('can be given as an option of the client', async () => {
      const options = { systemPrompt: '', model: 'm', baseUrl: url, maxRetries: 0, ca: authority };
      await using client = new Client(options);
      await client.query('Hi');
      // The echo server is no model server, but the client reached it.
      await assert.rejects(client.receiveMessages().next(), { code: 'not_openai_compatible' });
      await using other = new Client({ ...options, ca: undefined });
      await other.query('Hi');
      await assert.rejects(other.receiveMessages().next(), { code: 'connection' });
    });
  });

  it('opens a new connection for every request', async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const fetch = createFetch();
    for (let round = 0; round < 3; round++) await (await fetch(`http://127.0.0.1:${port}`)).text();
    assert.equal(ports.size, 3);
  });

  it('reports when the request was sent, and only if a server accepted it', async () => {
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

  it('closes the connection while it is being established', async () => {
    // This server accepts connections and never answers the TLS handshake.
    const opened: Socket[] = [];
    const arrived = new AbortController();
    const server = createSocketServer((socket) => {
      opened.push(socket);
      socket.on('data', () => arrived.abort(new Error('stopped'))).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await assert.rejects(createFetch()(url, { signal: arrived.signal }), { message: 'stopped' });
    const [socket] = opened;
    if (socket?.destroyed === false) await once(socket, 'close');
    assert.equal(opened.length, 1);
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

  it('rejects while reading the body when the connection breaks, after the received part', async () => {
    const port = await serve((_request, response) => response.write('x', () => response.destroy()));
    const reader = (await createFetch()(`http://127.0.0.1:${port}`)).body?.getReader();
    assert.equal((await reader?.read())?.value?.toString(), 'x');
    await assert.rejects(async () => reader?.read(), { code: 'ECONNRESET' });
  });
});
