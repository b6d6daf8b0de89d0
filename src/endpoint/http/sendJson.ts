import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { errorBody, type ApiError } from './apiError';

/** Ends a response with JSON. Does nothing when the client has disconnected. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, error: ApiError): void {
  sendJson(response, error.status, errorBody(error), error.headers);
}
