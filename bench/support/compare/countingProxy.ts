import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, parseJson } from '../../../src/util/json';
import { WireFacts } from './wireFacts';

/** Stands between an agent and the model server, and writes down what they tell each other. */
export interface CountingProxy extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  /** Begins to count anew, and returns what is counted from now on. */
  begin(): WireFacts;
}

export async function startCountingProxy(target: string, apiKey: string | undefined): Promise<CountingProxy> {
  const origin = target.replace(/\/v1\/?$/, '');
  let facts = new WireFacts();
  const server = createServer((request, response) => {
    const counted = facts;
    void (async () => {
      const stopping = new AbortController();
      response.on('close', () => stopping.abort());
      const isCompletion = request.url?.endsWith('/chat/completions') === true;
      const sent = await bodyOf(request);
      const answer = await fetch(`${origin}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        ...(sent !== '' && { body: isCompletion ? withUsage(sent) : sent }),
        signal: stopping.signal,
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      const decoder = new TextDecoder();
      let text = '';
      for await (const piece of answer.body ?? []) {
        text += decoder.decode(piece as Uint8Array, { stream: true });
        response.write(piece);
      }
      if (isCompletion && answer.ok) counted.add(text);
      response.end();
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    begin: () => (facts = new WireFacts()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Some agents do not ask for the counts of a stream. */
function withUsage(sent: string): string {
  const body = parseJson(sent);
  if (!isJsonObject(body) || body['stream'] !== true) return sent;
  return JSON.stringify({ ...body, stream_options: { include_usage: true } });
}
