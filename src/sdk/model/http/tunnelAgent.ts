import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';

const CONNECT_MS = 30_000;

/** Connects one https request through a proxy, by `CONNECT`. The proxy sees the host and no content. */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #signal: AbortSignal | undefined;

  constructor(proxy: URL, signal: AbortSignal | undefined) {
    super({ keepAlive: false });
    this.#proxy = proxy;
    this.#signal = signal;
  }

  override createConnection(
    options: https.RequestOptions,
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { host, hostname, port, servername } = options;
    const target = String(hostname ?? host);
    let isDone = false;
    const finish = (error: Error | null, socket?: Duplex): void => {
      if (isDone) return;
      isDone = true;
      // The caller reads no socket where there is an error.
      done(error, socket as Duplex);
    };
    const connecting = this.#connect(target, Number(port ?? 443));
    connecting.on('error', (error) => finish(new Error(`The proxy ${this.#proxy.host} failed: ${error.message}`)));
    connecting.on('timeout', () => connecting.destroy(new Error('it does not answer.')));
    connecting.on('connect', (answer: http.IncomingMessage, socket: Socket) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        finish(new Error(`The proxy ${this.#proxy.host} refuses with status ${answer.statusCode ?? 0}.`));
        return;
      }
      const secured = tls.connect({
        ...(options as tls.ConnectionOptions),
        socket,
        servername: servername ?? target,
      });
      secured.once('error', (error) => finish(error));
      secured.once('secureConnect', () => finish(null, secured));
    });
    connecting.end();
    return undefined;
  }

  #connect(host: string, port: number): http.ClientRequest {
    const { protocol, hostname, port: proxyPort, username, password } = this.#proxy;
    const name = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const { request } = protocol === 'https:' ? https : http;
    return request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort || (protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: name,
      agent: false,
      timeout: CONNECT_MS,
      headers: {
        host: name,
        ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
      },
      ...(this.#signal && { signal: this.#signal }),
    });
  }
}
