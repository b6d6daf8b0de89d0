import * as l10n from '../../../util/l10n';
import type { AgentErrorInfo } from '../../../sdk/errors';
import {
  describeFetchError,
  describeHttpError,
  serverMessage,
  answerWithoutKey,
} from '../../../sdk/model/errors/httpErrors';
import { piecesOf } from '../../../sdk/model/http/bodyPieces';
import type { JsonObject } from '../../../util/json';

export type JsonAnswer =
  { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly error: AgentErrorInfo };

/** `getJson` with its options bound; `body` is posted. */
export type Get = (url: string, body?: JsonObject) => Promise<JsonAnswer>;

export interface GetOptions {
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** From the request to the last byte of the answer; `null`: no limit. */
  readonly timeoutMs: number | null;
  /** Posted as JSON. Absent: a GET request. */
  readonly body?: JsonObject | undefined;
}

/** Requests JSON, with limits on time and size. Never rejects: errors name the URL. */
export async function getJson(url: string, options: GetOptions): Promise<JsonAnswer> {
  const { apiKey, fetch, signal, timeoutMs, body: question } = options;
  const limit = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (apiKey) headers.authorization = `Bearer ${apiKey}`;
  if (question) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      signal: limit ? AbortSignal.any([signal, limit]) : signal,
      ...(question && { method: 'POST', body: JSON.stringify(question) }),
    });
    const text = await readText(response, url);
    if (text === undefined)
      return failed('not_openai_compatible', l10n.t('{0} answered with more than {1} MB.', url, MAX_BYTES / 1e6));
    const body = answerWithoutKey(text, apiKey ?? '');
    const { status } = response;
    const hasPrompt = question !== undefined;
    const location = answerWithoutKey(response.headers.get('location') ?? '', apiKey ?? '') || undefined;
    if (!response.ok)
      return { ok: false, error: describeHttpError({ url, status, body, location, hasApiKey: !!apiKey, hasPrompt }) };
    return parse(url, status, body);
  } catch (error) {
    if (signal.aborted) return failed('interrupted', `The request to ${url} was stopped.`);
    if (limit?.aborted && timeoutMs !== null) return failed('silent', silence(url, timeoutMs));
    return { ok: false, error: describeFetchError(error, { url }) };
  }
}

/** Far more than the model lists of large hosts. */
const MAX_BYTES = 8_000_000;

/** `undefined`: it is too long. */
async function readText(response: Response, url: string): Promise<string | undefined> {
  const pieces = piecesOf(response);
  if (!pieces) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let isOver = false; !isOver;) {
    await new Promise<void>((resolve, reject) => pieces.whenReady((error) => (error ? reject(error) : resolve())));
    const taken = pieces.take();
    for (const part of taken.pieces) {
      if (!(part instanceof Uint8Array)) {
        pieces.cancel();
        throw new TypeError(`${url} answered with something that is not bytes.`);
      }
      size += part.byteLength;
      parts.push(part);
    }
    if (size > MAX_BYTES) {
      pieces.cancel();
      return undefined;
    }
    isOver = taken.isOver;
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function parse(url: string, status: number, body: string): JsonAnswer {
  try {
    return { ok: true, body: JSON.parse(body) };
  } catch {
    // Mostly a web page. The description recognises it and quotes its text.
    if (/^\s*</.test(body)) return { ok: false, error: describeHttpError({ url, status, body }) };
    const words = serverMessage(body).slice(0, 200);
    return failed(
      'not_openai_compatible',
      l10n.t('{0} answered with something that is not JSON: "{1}". Check the base URL.', url, words),
    );
  }
}

function silence(url: string, timeoutMs: number): string {
  return l10n.t(
    '{0} did not answer within {1} seconds. Check the address; a server that is busy or starting may need longer, so try again.',
    url,
    timeoutMs / 1000,
  );
}

function failed(code: AgentErrorInfo['code'], message: string): JsonAnswer {
  return { ok: false, error: { code, message } };
}
