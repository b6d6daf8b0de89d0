import type { ServerResponse } from 'node:http';
import { errorInfoOf } from '../../sdk/errors';
import type { AgentEvent } from '../../sdk/events';
import type { Usage } from '../../sdk/messages';
import type { Disposable } from '../../util/disposable';
import type { AgentRuns } from '../runs/agentRuns';
import { errorBody, runError } from '../http/apiError';
import { MODEL_ID, type ChatRequest } from './chatRequest';
import type { AnswerFormat } from './responseFormat';
import { completion, finishChunks, partChunk, roleChunk, type ReplyHead } from './chunks';
import { EventStream } from '../http/eventStream';
import { DeltaJoiner } from './joinDeltas';
import { Reply, type ReplyEnd, type ReplyPart } from './reply';
import { sendJson } from '../http/sendJson';

export interface CompleteParts {
  readonly runs: AgentRuns;
  /** The most tokens the model may write in one run, over all steps. */
  readonly maxRunTokens: number;
  /** The most tokens of one response. Absent: only the caller and the settings set a limit. */
  readonly maxResponseTokens?: number | undefined;
  /** Gets one line, without any text of the conversation. */
  readonly log: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly setTimer: (run: () => void, delayMs: number) => Disposable;
  readonly joinMs: number;
  readonly silenceMs: number;
  readonly idleMs: number;
}

/** Receives the parts of an answer. */
interface Sink {
  readonly part: (part: ReplyPart) => void;
  readonly comment: (text: string) => void;
  /** Resolves when the client can take more. */
  readonly ready: () => Promise<void>;
  readonly end: (end: ReplyEnd, usage: Usage | undefined) => void;
}

/** Answers one request. Ends the run when `stopping` is aborted or the client disconnects. Never rejects. */
export async function complete(
  request: ChatRequest,
  response: ServerResponse,
  { stopping, ...parts }: CompleteParts & { readonly stopping: AbortSignal },
): Promise<void> {
  const startMs = parts.now();
  const id = `chatcmpl-${parts.newId()}`;
  const head: ReplyHead = { id, model: MODEL_ID, created: Math.floor(startMs / 1_000) };
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const sink = request.stream ? streamTo(response, head, request, parts) : collectFor(response, head);
  const messages = request.history.length + 1;
  parts.log(
    `${id} started: ${messages} message${messages === 1 ? '' : 's'}${request.stream ? ', streaming' : ''}` +
      `${request.passedOver.length === 0 ? '' : `; without effect: ${request.passedOver.join(', ')}`}.`,
  );

  const reply = new Reply({
    maxCompletionTokens: Math.min(parts.maxRunTokens, request.maxTokens ?? Infinity),
    stop: request.stop,
  });
  const end = await drive(request, reply, sink, {
    id,
    runs: parts.runs,
    maxResponseTokens: parts.maxResponseTokens,
    signal: AbortSignal.any([gone.signal, stopping]),
  });
  const isGone = gone.signal.aborted;
  sink.end(end, reply.usage);
  const seconds = ((parts.now() - startMs) / 1_000).toFixed(1);
  if (isGone) parts.log(`${id} stopped after ${seconds} s: the client disconnected.`);
  else if (end.type === 'failed')
    parts.log(`${id} failed after ${seconds} s: ${end.error.code}: ${end.error.message.replace(/\s+/g, ' ')}`);
  else parts.log(`${id} completed after ${seconds} s: ${end.finishReason}${tokens(reply.usage)}.`);
}

async function drive(
  { history, prompt, systemPrompt, maxTokens, sampling, format }: ChatRequest,
  reply: Reply,
  sink: Sink,
  {
    id,
    signal,
    ...parts
  }: Pick<CompleteParts, 'runs' | 'maxResponseTokens'> & {
    readonly id: string;
    readonly signal: AbortSignal;
  },
): Promise<ReplyEnd> {
  const spent = new AbortController();
  const limits = [maxTokens, parts.maxResponseTokens].filter((limit) => limit !== undefined);
  const wishes = {
    systemPrompt,
    sampling,
    ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    ...(format && { outputSchema: format.schema }),
  };
  /** The text of the newest response. */
  let newest = '';
  try {
    const options = { signal: AbortSignal.any([signal, spent.signal]) };
    for await (const event of parts.runs.run({ id, history, prompt, wishes }, options)) {
      const part = reply.take(event);
      if (mayCut.has(event.type) && reply.isSpent) spent.abort();
      // Only the JSON at the end is the answer, not what the model says before and what it corrects.
      else if (part && !(format && part.type === 'text')) sink.part(part);
      if (event.type === 'step_start') newest = '';
      if (event.type === 'text_delta') newest += event.text;
      if (reply.hasStopped) spent.abort();
      const news = newsOf(event);
      if (news !== undefined) sink.comment(news);
      await sink.ready();
    }
  } catch (error) {
    return { type: 'failed', error: errorInfoOf(error) };
  }
  const { end } = reply;
  const rest = format ? end?.type === 'finished' && jsonPart(newest, format) : reply.rest();
  if (rest) sink.part(rest);
  return end ?? { type: 'failed', error: { code: 'invalid_state', message: 'The run ended without a result.' } };
}

/** The JSON of an answer; the answer itself where a limit cut it. */
function jsonPart(answer: string, { check }: AnswerFormat): ReplyPart | undefined {
  const checked = check(answer);
  const text = checked.ok ? JSON.stringify(checked.value) : answer;
  return text === '' ? undefined : { type: 'text', text };
}

/** The events at which a run out of tokens is cut: before a step, or within a response. */
const mayCut: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'step_start',
  'text_delta',
  'thinking_delta',
  'tool_use_delta',
]);

/** The comment that a stream gets for an event. `undefined`: none. */
function newsOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'status':
      return event.detail === undefined ? event.status : `${event.status}: ${event.detail}`;
    case 'prompt_progress':
      return `reading the prompt: ${event.progress.processed} of ${event.progress.total} tokens`;
    case 'retry':
      return `${event.gone ? 'waiting for the server to come back' : 'trying again'}: ${event.error.message}`;
    case 'warning':
      return event.message;
    default:
      return undefined;
  }
}

function streamTo(response: ServerResponse, head: ReplyHead, request: ChatRequest, parts: CompleteParts): Sink {
  const stream = new EventStream(response, parts);
  const joiner = new DeltaJoiner({
    write: (part) => stream.send(partChunk(head, part)),
    setTimer: (run) => parts.setTimer(run, parts.joinMs),
  });
  stream.send(roleChunk(head));
  return {
    part: (part) => joiner.add(part),
    comment: (text) => stream.comment(text),
    ready: () => stream.drained(),
    end(end, usage) {
      joiner.flush();
      if (end.type === 'failed') stream.send(errorBody(runError(end.error)));
      else for (const chunk of finishChunks(head, end.finishReason, usage, request)) stream.send(chunk);
      stream.end();
    },
  };
}

function collectFor(response: ServerResponse, head: ReplyHead): Sink {
  const collected: ReplyPart[] = [];
  return {
    part: (part) => void collected.push(part),
    comment: () => undefined,
    ready: () => Promise.resolve(),
    end(end, usage) {
      if (end.type === 'finished') {
        sendJson(response, 200, completion(head, collected, end.finishReason, usage));
        return;
      }
      const error = runError(end.error);
      sendJson(response, error.status, errorBody(error));
    },
  };
}

function tokens(usage: Usage | undefined): string {
  return usage ? `, ${usage.promptTokens} tokens read, ${usage.completionTokens} written` : '';
}
