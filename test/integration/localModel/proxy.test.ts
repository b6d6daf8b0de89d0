import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { environmentProxy } from '../../../src/cli/setup/environmentProxy';
import { openDownload } from '../../../src/localModel/download/openDownload';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { fixturePath } from '../../support/files/fixturePath';

describe('downloads through a proxy of the environment', () => {
  const certificates = fixturePath('certificates');
  const pem = (name: string): string => readFileSync(path.join(certificates, name), 'utf8');
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let asked: string[];
  let proxy: Server;
  let targetPort: number;

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  beforeEach(async () => {
    asked = [];
    const tls = { key: pem('server.key'), cert: pem('server.pem') };
    targetPort = await listen(createSecureServer(tls, (request, response) => response.end(`at ${request.url}`)));
    proxy = createServer();
    // Every name leads to the one server of the test.
    proxy.on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
      const through = connect(targetPort, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      sockets.add(through);
      through.pipe(socket).pipe(through);
      for (const one of [socket, through]) one.on('error', () => through.destroy());
    });
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const fetchBy = (env: Readonly<Record<string, string>>): typeof fetch =>
    createFetch({ ca: path.join(certificates, 'authority.pem'), proxy: environmentProxy(env) });
  const { signal } = new AbortController();

  it('connects by CONNECT with the name of the host, checks its certificate, and signs in', async () => {
    const port = await listen(proxy);
    const fetch = fetchBy({ HTTPS_PROXY: `http://ada:p%40ss@127.0.0.1:${port}` });
    const { response } = await openDownload('https://model.test/a.gguf', { fetch, signal });
    assert.equal(await response.text(), 'at /a.gguf');
    assert.deepEqual(asked, [`model.test:443 Basic ${Buffer.from('ada:p@ss').toString('base64')}`]);
    await assert.rejects(openDownload('https://other.test/a.gguf', { fetch, signal }), /other\.test/);
  });

  it('names the proxy when it refuses or is gone, and never connects without it', async () => {
    proxy.removeAllListeners('connect');
    proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
    const port = await listen(proxy);
    const fetch = fetchBy({ https_proxy: `127.0.0.1:${port}` });
    const refused = new RegExp(`The proxy 127\\.0\\.0\\.1:${port} refuses with status 407`);
    await assert.rejects(openDownload('https://model.test/a', { fetch, signal }), refused);
    proxy.close();
    await assert.rejects(openDownload('https://model.test/a', { fetch, signal }), /The proxy 127\.0\.0\.1:\d+ failed/);
    assert.throws(
      () => environmentProxy({ HTTPS_PROXY: 'socks5://127.0.0.1:1' }),
      /no address of an http or https proxy/,
    );
  });

  it('is given up at once when the proxy is silent', async () => {
    const pause = new AbortController();
    proxy.removeAllListeners('connect');
    proxy.on('connect', () => pause.abort(new Error('paused')));
    const port = await listen(proxy);
    const fetch = fetchBy({ ALL_PROXY: `http://127.0.0.1:${port}` });
    await assert.rejects(openDownload('https://model.test/a', { fetch, signal: pause.signal }), /paused/);
  });

  it('leaves out the hosts of NO_PROXY, and this machine', async () => {
    const HTTPS_PROXY = 'http://proxy.test:3128';
    for (const [NO_PROXY, address, isDirect] of [
      ['', 'https://model.test/', false],
      ['model.test', 'https://model.test/', true],
      ['model.test', 'https://a.model.test/', true],
      ['.model.test, other.test', 'https://a.model.test/', true],
      ['odel.test', 'https://model.test/', false],
      ['model.test:8443', 'https://model.test/', false],
      ['model.test:443', 'https://model.test/', true],
      ['*', 'https://model.test/', true],
    ] as const) {
      const found = environmentProxy({ HTTPS_PROXY, NO_PROXY })(new URL(address));
      assert.equal(found === undefined, isDirect, `${NO_PROXY} for ${address}`);
    }
    const port = await listen(proxy);
    const fetch = fetchBy({ HTTPS_PROXY: `http://127.0.0.1:${port}` });
    assert.equal(await (await fetch(`https://localhost:${targetPort}/here`)).text(), 'at /here');
    assert.deepEqual(asked, []);
  });
});
