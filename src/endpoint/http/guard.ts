import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { invalidRequest, type ApiError } from './apiError';
import { isOrigin, isPreflight } from './origins';

export interface GuardOptions {
  readonly token: string;
  /** The port of the endpoint. */
  readonly port: number;
  /** Exact origins of the programs that the person allowed. They still need the token. */
  readonly allowedOrigins: readonly string[];
}

/**
 * The reason to refuse a request before reading its body; `undefined`: it may pass. Checks the token, and keeps out web
 * pages: browsers send `Origin` or `Sec-Fetch-Site`, and a page that rebinds its DNS name sends that name as host. Pages of
 * an allowed origin may pass. Their preflight has no token and runs nothing.
 */
export function refusal(
  request: Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct'>,
  { token, port, allowedOrigins }: GuardOptions,
): ApiError | undefined {
  const { headers, headersDistinct } = request;
  for (const name of ['authorization', 'host', 'origin']) {
    if ((headersDistinct[name]?.length ?? 0) > 1) return invalidRequest(`There is more than one ${name} header.`);
  }
  if (!hostsOf(port).includes((headers.host ?? '').toLowerCase())) {
    return forbidden(`This endpoint answers to http://127.0.0.1:${port} and http://localhost:${port} only.`);
  }
  const site = headers['sec-fetch-site'];
  if (
    headers.origin === undefined ? site !== undefined && site !== 'none' : !isAllowed(headers.origin, allowedOrigins)
  ) {
    return forbidden('Web pages may not use this endpoint.');
  }
  if (isPreflight(request)) return undefined;
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return undefined;
  return {
    ...invalidRequest('The token is missing or wrong. Send it as "Authorization: Bearer <token>".', {
      status: 401,
      code: 'invalid_api_key',
    }),
    headers: { 'www-authenticate': 'Bearer' },
  };
}

/** Only exact origins count, so that `null` and `*` allow nothing, whatever the list holds. */
function isAllowed(origin: string, allowedOrigins: readonly string[]): boolean {
  return isOrigin(origin) && allowedOrigins.includes(origin);
}

function hostsOf(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`, ...(port === 80 ? ['127.0.0.1', 'localhost'] : [])];
}

function forbidden(message: string): ApiError {
  return invalidRequest(message, { status: 403, code: 'forbidden' });
}

/** Constant time: compares digests of equal length. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
