import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request: its method and path, such as `POST /models/load`, and its body. */
export interface JsonRequest {
  readonly what: string;
  readonly body: unknown;
}

export interface JsonAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/** Answers a request; `'silence'` never answers. */
export type JsonHandler = (request: JsonRequest) => JsonAnswer | 'silence';

/** A real HTTP server on loopback that answers with JSON from a function, for routes of one kind of server. */
export class JsonServer implements AsyncDisposable {
  readonly requests: JsonRequest[] = [];
  readonly #server: Server;

  private constructor(answer: JsonHandler) {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const asked = { what: `${request.method} ${request.url}`, body: text === '' ? undefined : JSON.parse(text) };
        this.requests.push(asked);
        const given = answer(asked);
        if (given === 'silence') return;
        response.writeHead(given.status ?? 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(given.body));
      });
    });
  }

  static async start(answer: JsonHandler): Promise<JsonServer> {
    const server = new JsonServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** Ending in `/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
