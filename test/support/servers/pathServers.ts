import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A body to answer with, a function that gives status and body, or `'silence'`. */
export type PathAnswer = unknown;
type Respond = (request: IncomingMessage) => { readonly status: number; readonly body: unknown };

/** A server on loopback, with what it was asked. */
export interface PathServer {
  readonly port: number;
  /** Ending in `/v1`. */
  readonly baseUrl: string;
  readonly paths: readonly string[];
  /** The `authorization` header of each request. */
  readonly keys: readonly (string | undefined)[];
  close(): Promise<void>;
}

export interface PathServers {
  /** Serves JSON or text by path and query, and 404 for other paths. Records the requests. */
  serve(answers: Readonly<Record<string, PathAnswer>>): Promise<PathServer>;
  /** Closes another server after the test, too. */
  keep(server: Server): void;
}

/** Closes the servers after each test of the surrounding `describe`. */
export function usePathServers(): PathServers {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) await close(server);
  });

  return {
    async serve(answers) {
      const paths: string[] = [];
      const keys: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        const at = request.url ?? '';
        paths.push(at);
        keys.push(request.headers.authorization);
        const answer = answers[at];
        if (answer === 'silence') return;
        const { status, body } =
          typeof answer === 'function'
            ? (answer as Respond)(request)
            : answer === undefined
              ? { status: 404, body: { error: 'no such page' } }
              : { status: 200, body: answer };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      return { port, baseUrl: `http://127.0.0.1:${port}/v1`, paths, keys, close: () => close(server) };
    },
    keep: (server) => void servers.push(server),
  };
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
