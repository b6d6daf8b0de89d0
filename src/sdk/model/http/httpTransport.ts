// VS Code adds its proxy and certificate settings to the modules with these names. The names with `node:` give Node's
// own modules, for servers on this machine, which no proxy can reach.
import * as http from 'http';
import * as https from 'https';
import * as directHttp from 'node:http';
import * as directHttps from 'node:https';
import { lookup } from 'node:dns';
import type { Readable } from 'node:stream';
import { PushedPieces, type BodyPieces } from './bodyPieces';
import { readAuthorities, type CertificateAuthority } from './certificateAuthority';
import { HeaderFields } from './headerFields';
import { isLoopbackHost, loopbackLookup } from './loopback';
import { asError } from '../../../util/errors';
import { transportResponse } from './transportResponse';
import { TunnelAgent } from './tunnelAgent';

/** Extra fields of our own requests. Another `fetch` ignores them. */
export interface TransportRequestInit extends RequestInit {
  /** Called when the whole request has been sent and the server is at work. */
  readonly onSent?: (() => void) | undefined;
}

export interface TransportOptions {
  /** Called before every request. */
  readonly onRequest?: ((info: { readonly url: string; readonly method: string }) => void) | undefined;
  /** Authority for https, besides the usual ones. */
  readonly ca?: CertificateAuthority | undefined;
  /** The proxy for an https address that is not on this machine. Without it, VS Code's settings decide, or there is none. */
  readonly proxy?: ((url: URL) => URL | undefined) | undefined;
}

/**
 * A `fetch` for servers that may think for minutes before their first byte. No time-outs, no redirects, one connection
 * for each request. Servers on this machine are reached without a proxy, `localhost` at both of its addresses; other
 * servers by VS Code's settings. Aborting destroys the socket. The body is decompressed as it is read. Rejects with
 * the system's error (`code`) or the signal's reason.
 */
export function createFetch(options: TransportOptions = {}): typeof fetch {
  return async (input, init) => {
    const request = await toPlainRequest(input, init);
    options.onRequest?.({ url: request.url.href, method: request.method });
    const isSecure = request.url.protocol === 'https:';
    const proxy = isSecure ? options.proxy?.(request.url) : undefined;
    return send(request, isSecure ? await readAuthorities(options.ca) : undefined, proxy);
  };
}

interface PlainRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onSent: (() => void) | undefined;
}

async function toPlainRequest(input: string | URL | Request, init?: TransportRequestInit): Promise<PlainRequest> {
  const base = typeof input === 'string' || input instanceof URL ? undefined : input;
  const url = new URL(base?.url ?? input);
  const headers = new HeaderFields(init?.headers ?? base?.headers);
  const content = init?.body ?? undefined;
  let body: string | Uint8Array | undefined;
  if (typeof content === 'string' || content instanceof Uint8Array) body = content;
  else if (content !== undefined) body = new Uint8Array(await new Response(content).arrayBuffer());
  else if (base?.body) body = new Uint8Array(await base.arrayBuffer());
  const signal = init?.signal ?? base?.signal;
  return { url, method: init?.method ?? base?.method ?? 'GET', headers, body, signal, onSent: init?.onSent };
}

function send(
  { url, method, headers, body, signal, onSent }: PlainRequest,
  ca: string[] | undefined,
  proxy: URL | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const fields: Record<string, string> = Object.fromEntries(headers);
    if (bytes) fields['content-length'] = String(bytes.byteLength);
    // Compression does not help small events, and it would allow decompression bombs.
    fields['accept-encoding'] ??= 'identity';
    const agent = proxy && !isLoopbackHost(url.hostname) ? new TunnelAgent(proxy, signal) : undefined;
    const request = openRequest(url, { method, headers: fields, ...(ca && { ca }), ...(agent && { agent }) });
    const onAbort = (): void => {
      request.destroy(reasonOf(signal));
    };
    const stopListening = (): void => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort, { once: true });
    request.setNoDelay(true);
    // Keeps routers from dropping a connection that is silent for minutes.
    request.setSocketKeepAlive(true, 60_000);
    request.on('close', stopListening);
    request.on('error', (error) => reject(signal?.aborted ? reasonOf(signal) : error));
    if (onSent) request.on('finish', onSent);
    request.on('response', (incoming) => {
      const status = incoming.statusCode ?? 0;
      const answerHeaders = new HeaderFields();
      for (const [name, values] of Object.entries(incoming.headersDistinct)) {
        for (const value of values ?? []) answerHeaders.append(name, value);
      }
      if (status < 200 || status > 599) {
        request.destroy();
        reject(new RangeError(`The server answered with the status ${status}, which HTTP does not have.`));
        return;
      }
      const hasBody = method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304;
      if (!hasBody) incoming.resume();
      const head = { url: url.href, status, statusText: incoming.statusMessage ?? '', headers: answerHeaders };
      try {
        resolve(transportResponse(head, hasBody ? readBody(incoming, signal) : undefined));
      } catch (error) {
        request.destroy();
        reject(asError(error));
      }
    });
    request.end(bytes);
  });
}

/** One connection for each request, because the server may close a kept one at the moment of its reuse. */
function openRequest(url: URL, options: https.RequestOptions): http.ClientRequest {
  const isSecure = url.protocol === 'https:';
  if (isLoopbackHost(url.hostname)) {
    const { request } = isSecure ? directHttps : directHttp;
    // A connection within the machine succeeds or fails at once, so the next address is not tried early.
    const families = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 5_000 };
    return request(url, { ...options, ...families, agent: false, lookup: loopbackLookup(lookup) });
  }
  const { request } = isSecure ? https : http;
  // With an agent, or `false`, VS Code skips its proxy where `http.proxySupport` is `on`.
  const families = { autoSelectFamily: true };
  return request(url, { ...options, ...families, headers: { ...options.headers, connection: 'close' } });
}

/** The decoded body. Reading fails when the connection breaks, after the data before that. */
function readBody(incoming: http.IncomingMessage, signal: AbortSignal | undefined): BodyPieces {
  const source = decoded(incoming);
  const pieces = new PushedPieces({
    onTaken: () => source.resume(),
    onCancel: () => {
      incoming.destroy();
      if (source !== incoming) source.destroy();
    },
  });
  const fail = (error: Error): void => pieces.end(signal?.aborted ? reasonOf(signal) : error);
  incoming.on('error', (error) => {
    if (source !== incoming) source.destroy(error);
    fail(error);
  });
  incoming.on('close', () => {
    if (!incoming.complete) fail(new Error('The connection was closed before the answer was complete.'));
  });
  source.on('error', fail);
  source.on('data', (bytes: Uint8Array) => {
    pieces.push(bytes);
    if (pieces.count >= MAX_WAITING_PIECES) source.pause();
  });
  source.on('end', () => pieces.end());
  return pieces;
}

/** So many may wait for a reader before the connection waits, too. */
const MAX_WAITING_PIECES = 16;

function decoded(incoming: http.IncomingMessage): Readable {
  // Loaded for a server that compresses: a model server does not.
  const zlib = () => process.getBuiltinModule('node:zlib');
  switch (incoming.headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return incoming.pipe(zlib().createGunzip());
    case 'deflate':
      return incoming.pipe(zlib().createInflate());
    case 'br':
      return incoming.pipe(zlib().createBrotliDecompress());
    default:
      return incoming;
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('The request was aborted.', { cause: reason });
}
