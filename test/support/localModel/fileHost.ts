import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the host does with one request. Called with the request's number, from 1. */
export type HostAct = (request: IncomingMessage, response: ServerResponse, number: number) => boolean;

/** A stand-in for a host of releases and models: answers range requests, and misbehaves as a test says. */
export interface FileHost extends AsyncDisposable {
  readonly origin: string;
  /** The address of a file. */
  url(name: string): string;
  /** Method, path and range of every request. */
  readonly requests: string[];
  /** Decides a request before the host does. True: it has answered. */
  act: HostAct | undefined;
}

export async function startFileHost(files: Readonly<Record<string, Buffer>>): Promise<FileHost> {
  let count = 0;
  const host = { requests: [] as string[], act: undefined as HostAct | undefined };
  const server = createServer((request, response) => {
    count += 1;
    const { method, url = '', headers } = request;
    host.requests.push(`${method} ${url}${headers.range === undefined ? '' : ` ${headers.range}`}`);
    if (host.act?.(request, response, count)) return;
    const file = files[decodeURIComponent(url.slice(1))];
    if (file) sendFile(file, headers.range, response);
    else response.writeHead(404).end('no such file');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(host, {
    origin,
    url: (name: string) => `${origin}/${encodeURIComponent(name)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Answers as a host does that knows ranges. */
export function sendFile(file: Buffer, range: string | undefined, response: ServerResponse): void {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? '');
  if (!match) {
    response.writeHead(200, { 'content-length': file.length, 'accept-ranges': 'bytes' }).end(file);
    return;
  }
  const start = Number(match[1]);
  const end = match[2] === '' ? file.length - 1 : Math.min(Number(match[2]), file.length - 1);
  if (start >= file.length) {
    response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
    return;
  }
  const part = file.subarray(start, end + 1);
  const headers = { 'content-length': part.length, 'content-range': `bytes ${start}-${end}/${file.length}` };
  response.writeHead(206, headers).end(part);
}
