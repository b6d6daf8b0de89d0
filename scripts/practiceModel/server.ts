import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ChatRequest } from './chatRequest';
import { respond } from './respond';
import type { PracticeAnswer } from './respond';
import { doneFrame, finishFrame, inPieces, roleFrame, textFrame, toolCallFrames, usageFrame, wireUsage } from './sse';
import type { AnswerToolCall, ChunkHead, Usage } from './sse';

const modelId = 'practice-model';
const contextWindow = 16_384;
const charactersPerToken = 4;
const pieceLength = 5;

/** The running practice model. */
export interface PracticeModel extends AsyncDisposable {
  readonly baseUrl: string;
  readonly model: string;
  /** Stops listening and breaks every connection. */
  dispose(): Promise<void>;
}

/**
 * Starts a scripted OpenAI-compatible server on loopback, to try the agent without a model server. `respond` writes its
 * answers. `paceMs` is the pause between two pieces of a text; zero for none.
 */
export async function startPracticeModel(
  options: { readonly port?: number | undefined; readonly paceMs?: number | undefined } = {},
): Promise<PracticeModel> {
  const paceMs = options.paceMs ?? 20;
  let answers = 0;
  const server = createServer((request, response) => {
    answers += 1;
    serve(request, response, { paceMs, number: answers }).catch((error: unknown) => {
      console.error('The practice model failed:', error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const dispose = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, model: modelId, dispose, [Symbol.asyncDispose]: dispose };
}

interface ServeContext {
  readonly paceMs: number;
  /** Counts requests, for ids. */
  readonly number: number;
}

async function serve(request: IncomingMessage, response: ServerResponse, context: ServeContext): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'GET' && path === '/v1/models') {
    // Only the fields of every OpenAI-compatible server, so nobody takes it for a specific one.
    sendJson(response, 200, {
      object: 'list',
      data: [{ id: modelId, object: 'model', created: 0, owned_by: 'practice', context_length: contextWindow }],
    });
  } else if (request.method === 'POST' && path === '/v1/chat/completions') {
    await complete(request, response, context);
  } else {
    sendError(response, 404, `The practice model does not know ${request.method} ${path}.`);
  }
}

async function complete(request: IncomingMessage, response: ServerResponse, context: ServeContext): Promise<void> {
  const text = await readBody(request);
  const parsed = ChatRequest.safeParse(parseJson(text));
  if (!parsed.success) {
    sendError(response, 400, 'The request is not a chat completion request with messages.');
    return;
  }
  const chat = parsed.data;
  // A request for zero tokens only warms a cache, and this server has none.
  const answer: PracticeAnswer = chat.max_tokens === 0 ? { text: '' } : respond(chat);
  const call = answer.toolCall && { id: `practice${context.number}`, ...answer.toolCall };
  const reply: Reply = {
    head: { id: `chatcmpl-practice-${context.number}`, model: modelId, created: Math.floor(Date.now() / 1000) },
    text: answer.text,
    call,
    finishReason: finishReasonOf(chat, call),
    usage: {
      promptTokens: Math.ceil(text.length / charactersPerToken),
      completionTokens: Math.ceil((answer.text.length + JSON.stringify(call ?? '').length) / charactersPerToken),
    },
  };
  if (chat.stream === true) {
    await stream(response, reply, {
      paceMs: context.paceMs,
      includeUsage: chat.stream_options?.include_usage === true,
    });
  } else {
    sendJson(response, 200, completionBody(reply));
  }
}

interface Reply {
  readonly head: ChunkHead;
  readonly text: string;
  readonly call: AnswerToolCall | undefined;
  readonly finishReason: string;
  readonly usage: Usage;
}

function finishReasonOf(chat: ChatRequest, call: AnswerToolCall | undefined): string {
  if (chat.max_tokens === 0) return 'length';
  return call === undefined ? 'stop' : 'tool_calls';
}

async function stream(
  response: ServerResponse,
  reply: Reply,
  { paceMs, includeUsage }: { readonly paceMs: number; readonly includeUsage: boolean },
): Promise<void> {
  const { head, text, call, finishReason, usage } = reply;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const frames = [
    roleFrame(head),
    ...inPieces(text, pieceLength).map((piece) => textFrame(head, piece)),
    ...(call === undefined ? [] : toolCallFrames(head, 0, call)),
    finishFrame(head, finishReason),
    ...(includeUsage ? [usageFrame(head, usage)] : []),
    doneFrame,
  ];
  for (const frame of frames) {
    if (response.destroyed) return;
    response.write(frame);
    if (paceMs > 0) await delay(paceMs);
  }
  response.end();
}

function completionBody({ head, text, call, finishReason, usage }: Reply): object {
  const toolCalls = call && [
    { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } },
  ];
  const message = { role: 'assistant', content: text, ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }) };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: wireUsage(usage),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** Undefined if the text is not JSON. It then fails like any other invalid body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { code: status, message, type: 'invalid_request_error' } });
}
