import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Admission } from './http/admission';
import type { AgentRuns } from './runs/agentRuns';
import { invalidRequest } from './http/apiError';
import { readJson } from './http/body';
import { MODEL_ID, noModel, parseChatRequest } from './chat/chatRequest';
import { complete, type CompleteParts } from './chat/complete';
import { refusal } from './http/guard';
import { corsHeaders, isPreflight, preflightHeaders } from './http/origins';
import { defaultLimits, type EndpointLimits } from './http/limits';
import { sendError, sendJson } from './http/sendJson';
import { systemTimer } from '../util/timer';

export interface EndpointOptions {
  readonly runs: AgentRuns;
  /** The token that callers must send. Read for each request, so that it can be replaced. */
  readonly token: () => string;
  /** 0: any free port. */
  readonly port: number;
  readonly log: (line: string) => void;
  /** Exact origins whose pages may use the endpoint, with the token. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly limits?: Partial<EndpointLimits> | undefined;
  readonly now?: (() => number) | undefined;
  readonly newId?: (() => string) | undefined;
}

export interface Endpoint {
  /** `http://127.0.0.1:<port>/v1`, for clients of the OpenAI API. */
  readonly baseUrl: string;
  /** Ends every run, tells the callers, and closes every connection. May be called more than once. */
  stop(): Promise<void>;
}

/** The `Retry-After` of a 429, in seconds. */
const RETRY_AFTER_S = 5;

const MODEL_PATH = '/v1/models/';

/** Serves an agent on 127.0.0.1. Rejects when the port cannot be used. */
export async function startEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { runs, token, log, allowedOrigins = [], now = Date.now, newId = () => crypto.randomUUID() } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { headersMs, requestMs, checkMs } = limits;
  const admission = new Admission(limits);
  const stopping = new AbortController();
  const going = new Set<Promise<void>>();
  const parts: CompleteParts = { runs, log, now, newId, setTimer: systemTimer, ...limits };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    const refused = refusal(request, { token: token(), port, allowedOrigins });
    const { origin } = request.headers;
    // A page of an allowed origin may read why it is refused. Nothing else is ever readable for pages.
    if (origin !== undefined && refused?.status !== 403 && allowedOrigins.includes(origin)) {
      response.setHeaders(new Map(Object.entries(corsHeaders(origin)).map(([name, value]) => [name, String(value)])));
    }
    if (refused) return sendError(response, refused);
    if (isPreflight(request)) {
      response.writeHead(204, preflightHeaders(request.headers)).end();
      return;
    }
    const path = (request.url ?? '').split('?')[0] ?? '';
    const isModels = path === '/v1/models' || path.startsWith(MODEL_PATH);
    const method = isModels ? 'GET' : path === '/v1/chat/completions' ? 'POST' : undefined;
    if (method === undefined) {
      const message = 'This endpoint has GET /v1/models, GET /v1/models/{id} and POST /v1/chat/completions.';
      return sendError(response, invalidRequest(message, { status: 404, code: 'not_found' }));
    }
    if (request.method !== method) {
      const error = invalidRequest(`Use ${method} for ${path}.`, { status: 405, code: 'method_not_allowed' });
      return sendError(response, { ...error, headers: { allow: method } });
    }
    if (method === 'GET') {
      const model = { id: MODEL_ID, object: 'model', created: 0, owned_by: 'open-agent' };
      if (path === '/v1/models') return sendJson(response, 200, { object: 'list', data: [model] });
      if (path === `${MODEL_PATH}${MODEL_ID}`) return sendJson(response, 200, model);
      return sendError(response, noModel(path.slice(MODEL_PATH.length)));
    }
    const body = await readJson(request, limits.maxBodyBytes);
    if (!body.ok) return sendError(response, body.error);
    const parsed = parseChatRequest(body.value);
    if (!parsed.ok) return sendError(response, parsed.error);
    const place = admission.enter();
    if (!place) {
      const message = `${limits.maxRuns} requests are being worked on already. Try again later.`;
      const error = invalidRequest(message, { status: 429, code: 'rate_limit_exceeded' });
      return sendError(response, { ...error, headers: { 'retry-after': String(RETRY_AFTER_S) } });
    }
    try {
      await complete(parsed.request, response, { ...parts, stopping: stopping.signal });
    } finally {
      place.dispose();
    }
  };

  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: 5_000,
    },
    (request, response) => {
      const work = answer(request, response).catch((error: unknown) => {
        // The connection broke while the request was read.
        if (!request.destroyed || request.complete) log(`Internal error: ${String(error)}`);
        response.destroy();
      });
      going.add(work);
      void work.finally(() => going.delete(work));
    },
  );
  server.maxConnections = limits.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    stopping.abort();
    await Promise.all(going);
    server.closeAllConnections();
    await closed;
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => (stopped ??= stop()),
  };
}
