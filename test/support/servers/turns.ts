import { readFileSync } from 'node:fs';
import {
  doneFrame,
  finishFrame,
  inPieces,
  roleFrame,
  textFrame,
  thinkingFrame,
  toolCallFrames,
  usageFrame,
  wireUsage,
} from '../../../scripts/practiceModel/sse';
import type { AnswerToolCall, ChunkHead, Usage } from '../../../scripts/practiceModel/sse';
import type { Gate } from './gate';
import { fixturePath } from '../files/fixturePath';

/** The answer of the model server to one completion request. */
export type Turn = AnswerTurn | RecordingTurn | RawTurn | StatusTurn;

/** A stream of thinking, text and tool calls, in this order. */
export interface AnswerTurn {
  readonly kind?: 'answer' | undefined;
  readonly thinking?: Script | undefined;
  readonly text?: Script | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default: `tool_calls` if there are any, else `stop`. Null sends no reason and no `[DONE]`. */
  readonly finishReason?: string | null | undefined;
  /** Sent if the request asks for it. */
  readonly usage?: Usage | undefined;
  /** The server waits here before it sends anything, headers included. */
  readonly heldUntil?: Gate | undefined;
  /** Breaks the connection before the finish reason. */
  readonly cut?: boolean | undefined;
}

/** A text, streamed in small pieces; or exactly these pieces, with a wait at each gate between them. */
export type Script = string | readonly (string | Gate)[];

export interface ScriptedToolCall {
  readonly name: string;
  /** Sent as JSON. A string is sent unchanged, valid or not. */
  readonly arguments: AnswerToolCall['arguments'];
  /** `call_<request>_<index>` unless given. */
  readonly id?: string | undefined;
}

/** A file of `test/fixtures/recordings`, byte for byte: a `.sse` stream, or an `error-*.json` with its status. */
export interface RecordingTurn {
  readonly kind: 'recording';
  /** Such as `llama-server/qwen2.5-text.sse`. */
  readonly file: string;
  /** Byte positions at which the stream is split into separate writes. */
  readonly splitAt?: readonly number[] | undefined;
  /** Waits before the byte at this position. */
  readonly holdAt?: { readonly byte: number; readonly gate: Gate } | undefined;
  /** Breaks the connection before the byte at this position. */
  readonly cutAt?: number | undefined;
}

/** Exactly these writes with status 200: malformed chunks, comments, errors inside a stream. */
export interface RawTurn {
  readonly kind: 'raw';
  readonly writes: readonly (string | Uint8Array | Gate)[];
  /** `text/event-stream` unless given. */
  readonly contentType?: string | undefined;
  /** Breaks the connection instead of ending the response. */
  readonly cut?: boolean | undefined;
}

/** A response without a stream: an error or an HTML page. */
export interface StatusTurn {
  readonly kind: 'status';
  readonly status: number;
  /** Anything but a string is sent as JSON. */
  readonly body: unknown;
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A turn as the server writes it. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly before?: Gate | undefined;
  readonly writes: readonly (string | Uint8Array | Gate)[];
  readonly cut: boolean;
}

/** The parts of a request that decide how a turn is written. */
export interface TurnContext {
  readonly head: ChunkHead;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly requestNumber: number;
  /** The reported prompt tokens, unless the turn sets them. */
  readonly promptTokens?: number | undefined;
}

const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
function usageOf(turn: AnswerTurn, { promptTokens = 100 }: TurnContext): Usage {
  return turn.usage ?? { promptTokens, completionTokens: 20 };
}

export function wireResponse(turn: Turn, context: TurnContext): WireResponse {
  switch (turn.kind) {
    case 'recording':
      return recordingResponse(turn);
    case 'raw':
      return {
        status: 200,
        headers: { ...eventStream, ...(turn.contentType === undefined ? {} : { 'content-type': turn.contentType }) },
        writes: turn.writes,
        cut: turn.cut ?? false,
      };
    case 'status':
      return statusResponse(turn);
    case 'answer':
    case undefined:
      return context.stream ? answerStream(turn, context) : answerBody(turn, context);
  }
}

export function statusResponse(turn: Omit<StatusTurn, 'kind'>): WireResponse {
  const { body } = turn;
  const isText = typeof body === 'string';
  const contentType = turn.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
  return {
    status: turn.status,
    headers: { 'content-type': contentType, ...turn.headers },
    writes: [isText ? body : JSON.stringify(body)],
    cut: false,
  };
}

/** The bytes of a file of `test/fixtures/recordings`. */
export function readRecording(file: string): Buffer {
  return readFileSync(fixturePath('recordings', file));
}

function recordingResponse(turn: RecordingTurn): WireResponse {
  const bytes = readRecording(turn.file);
  if (turn.file.endsWith('.json')) {
    const { status, contentType, body } = JSON.parse(bytes.toString('utf8')) as {
      status: number;
      contentType?: string;
      body: string;
    };
    return statusResponse({ status, body, contentType: contentType ?? 'application/json; charset=utf-8' });
  }
  const end = turn.cutAt ?? bytes.length;
  const positions = new Set([
    0,
    ...(turn.splitAt ?? []),
    ...(turn.holdAt === undefined ? [] : [turn.holdAt.byte]),
    end,
  ]);
  const cuts = [...positions].filter((position) => position <= end).toSorted((a, b) => a - b);
  const writes: (Uint8Array | Gate)[] = [];
  for (const [index, start] of cuts.entries()) {
    if (start === turn.holdAt?.byte) writes.push(turn.holdAt.gate);
    const next = cuts[index + 1];
    if (next !== undefined) writes.push(bytes.subarray(start, next));
  }
  return { status: 200, headers: eventStream, writes, cut: turn.cutAt !== undefined };
}

function answerStream(turn: AnswerTurn, context: TurnContext): WireResponse {
  const { head } = context;
  const calls = identified(turn, context);
  const finish = finishReason(turn);
  const ends = turn.cut !== true && finish !== null;
  return {
    status: 200,
    headers: eventStream,
    before: turn.heldUntil,
    cut: turn.cut ?? false,
    writes: [
      roleFrame(head),
      ...scriptFrames(turn.thinking, (text) => thinkingFrame(head, text)),
      ...scriptFrames(turn.text, (text) => textFrame(head, text)),
      ...calls.flatMap((call, index) => toolCallFrames(head, index, call)),
      ...(ends ? [finishFrame(head, finish)] : []),
      ...(ends && context.includeUsage ? [usageFrame(head, usageOf(turn, context))] : []),
      ...(ends ? [doneFrame] : []),
    ],
  };
}

function answerBody(turn: AnswerTurn, context: TurnContext): WireResponse {
  const { id, model, created } = context.head;
  const calls = identified(turn, context).map((call) => ({
    id: call.id,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const message = {
    role: 'assistant',
    content: scriptText(turn.text) ?? null,
    ...(turn.thinking === undefined ? {} : { reasoning_content: scriptText(turn.thinking) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReason(turn) }];
  const body = { id, object: 'chat.completion', created, model, choices, usage: wireUsage(usageOf(turn, context)) };
  const response = statusResponse({ status: 200, body });
  return { ...response, before: turn.heldUntil, cut: turn.cut ?? false };
}

function finishReason(turn: AnswerTurn): string | null {
  if (turn.finishReason !== undefined) return turn.finishReason;
  return (turn.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

function identified(turn: AnswerTurn, context: TurnContext): readonly AnswerToolCall[] {
  return (turn.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${context.requestNumber}_${index}`,
  }));
}

function scriptFrames(script: Script | undefined, frame: (text: string) => string): readonly (string | Gate)[] {
  if (script === undefined) return [];
  const parts = typeof script === 'string' ? inPieces(script, 8) : script;
  return parts.map((part) => (typeof part === 'string' ? frame(part) : part));
}

function scriptText(script: Script | undefined): string | undefined {
  if (script === undefined || typeof script === 'string') return script;
  return script.filter((part) => typeof part === 'string').join('');
}
