import type { IncomingMessage } from 'node:http';
import { invalidRequest, type ApiError } from './apiError';

export type Body = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ApiError };

/** Reads the JSON body of a request, of at most `maxBytes`. Rejects when the connection breaks. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const { headers } = request;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return refused(415, 'unsupported_media_type', 'Send JSON, with "Content-Type: application/json".');
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return refused(415, 'unsupported_media_type', 'Send the JSON uncompressed.');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) return tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before our answer.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += (part as Buffer).length;
    if (bytes > maxBytes) return tooLarge(maxBytes);
    parts.push(part as Buffer);
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown };
  } catch {
    // The parser's message quotes the body, so it is not sent.
    return refused(400, 'invalid_json', 'The body is not valid JSON.');
  }
}

function tooLarge(maxBytes: number): Body {
  return refused(413, 'request_too_large', `The body is too large: it may have ${maxBytes} bytes.`);
}

function refused(status: number, code: string, message: string): Body {
  return { ok: false, error: { ...invalidRequest(message, { status, code }), headers: { connection: 'close' } } };
}
