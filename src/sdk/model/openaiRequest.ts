import { delay } from '../../util/async/delay';
import type { AgentErrorInfo } from '../errors';
import type { TransportRequestInit } from './http/httpTransport';
import {
  isSchemaRejection,
  learnQuirk,
  type LearnedQuirk,
  type Rejection as QuirkRejection,
} from './errors/learnQuirk';
import { learnSchema } from './errors/learnSchema';
import type { TriesTools } from './errors/rejectedTool';
import {
  answerWithoutKey,
  describeFetchError,
  describeHttpError,
  errorWithoutKey,
  isModelLoading,
  serverMessage,
} from './errors/httpErrors';
import { isUnreadableOutput, quotedOutput } from './errors/unreadableOutput';
import type { CutOff } from './cutOff';
import type { ModelEvent, ModelRequest } from './modelProvider';
import { startLog, type RequestLog } from './http/requestLog';
import { describeAbort, describeSilence, readResponse, type ResponseEnd } from './http/responseReader';
import { readRetryAfter } from './http/retryingProvider';
import type { QuirkMemory, ServerQuirks } from './wire/serverQuirks';
import type { RequestOptions } from './requestOptions';
import type { EventSink } from './sentEvents';
import { StreamAggregator } from './stream/streamAggregator';
import { StreamWatch } from './http/streamWatch';
import { toWireRequest } from './wire/wireRequest';
import type { WireRequest } from './wire/wireTypes';

/** A server and its quirks. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  readonly sessionId: string | undefined;
  readonly quirks: QuirkMemory;
  readonly reportsProgress: () => boolean;
}

interface Attempts {
  readonly connection: Connection;
  readonly request: ModelRequest;
  readonly watch: StreamWatch;
  readonly log: RequestLog;
  readonly silenceMs: number | null;
  readonly loadingRetryMs: number;
  readonly signal: AbortSignal;
  /** Sends events, and aborts `signal` when the sink has left. */
  readonly tell: (...events: readonly ModelEvent[]) => Promise<void>;
  /** Asks for the answer in one piece. */
  isWhole: boolean;
}

/** A request, and the sink for the events of its response. */
interface Asked {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly sink: EventSink;
}

/**
 * Sends one request and reads its response, as `createOpenAIProvider` says. Reports failures as events.
 */
export async function sendResponse(
  connection: Connection,
  options: RequestOptions,
  { request, signal, sink }: Asked,
): Promise<void> {
  const url = endpointOf(connection);
  const silenceMs = options.silenceTimeoutMs === undefined ? 60_000 : options.silenceTimeoutMs;
  const leaving = new AbortController();
  const combined = AbortSignal.any([signal, leaving.signal]);
  const watch = new StreamWatch({ silenceMs, stallMs: options.stalledAfterMs ?? 15_000 });
  const log = startLog({ logger: options.logger, url, request });
  const tell = async (...events: readonly ModelEvent[]): Promise<void> => {
    await sink.take(events);
    if (sink.hasLeft) leaving.abort();
  };
  try {
    await tell({ type: 'status', status: 'connecting' });
    const loadingRetryMs = options.loadingRetryMs ?? 1_000;
    const waiting = { watch, log, silenceMs, loadingRetryMs, signal: combined };
    const opening = { ...waiting, connection, request, tell, isWhole: false };
    while (!sink.hasLeft) {
      const opened = await openResponse(opening);
      if (sink.hasLeft) return;
      const newAggregator = (quirks?: ServerQuirks): StreamAggregator =>
        new StreamAggregator({
          tools: request.tools,
          model: request.model,
          usedIds: usedIdsOf(request),
          newToolUseId: options.newToolUseId,
          isLenient: options.allowLenientToolJson,
          hasTextTools: quirks?.tools === 'text' || request.toolsAsText === true,
        });
      if (!opened.ok) {
        log.end({ status: opened.status, error: opened.error });
        const { error, retryAfterMs, said } = opened;
        const saved = newAggregator();
        takeQuotedCalls(saved, newAggregator, said);
        const { content } = saved.finish('unreadable');
        const failure = { error, partial: content, ...(retryAfterMs !== undefined && { retryAfterMs }) };
        return await tell(...saved.takeEvents(), { type: 'error', ...failure });
      }
      const { response } = opened;
      const aggregator = newAggregator(opened.quirks);
      const { apiKey } = connection;
      const withoutKey = (text: string): string => answerWithoutKey(text, apiKey);
      const reading = { response, url, aggregator, watch, silenceMs, withoutKey, signal: combined };
      const ending: ResponseEnd = endWithoutKey(await readResponse(reading, sink), apiKey);
      if (sink.hasLeft) return;
      const { status } = response;
      const said = ending.ok || aggregator.receivedCharacters > 0 ? undefined : ending.said;
      const warning = said === undefined ? undefined : learn(opening, opened.quirks, { url, status, body: said });
      if (warning) {
        await tell(warning);
        continue;
      }
      if (!ending.ok && ending.isEmpty && isEventStream(response) && !opening.isWhole) {
        opening.isWhole = true;
        await tell({ type: 'warning', code: 'server_quirk', message: emptyStream(url) });
        continue;
      }
      if (!ending.ok) takeQuotedCalls(aggregator, newAggregator, ending.said);
      const answer = aggregator.finish(ending.ok ? ending.cutOff : cutOffBy(ending.error));
      const events = aggregator.takeEvents();
      const { content, stopReason, usage } = answer;
      if (ending.ok) {
        log.end({ status, content, stopReason, usage });
        await tell(...events, { type: 'response_end', ...answer });
      } else {
        log.end({ status, content, stopReason, usage, error: ending.error });
        const { responseId, model } = answer;
        const hasBegun = aggregator.receivedCharacters > 0 || responseId !== '';
        const named = hasBegun && { response: { responseId, model, ...(usage && { usage }) } };
        await tell(...events, { type: 'error', error: ending.error, partial: content, ...named });
      }
      return;
    }
  } finally {
    watch.dispose();
    // A sink that leaves early ends the request.
    leaving.abort();
    log.end({ stopReason: 'interrupted' });
  }
}

/** A server may repeat the key in its errors. */
function endWithoutKey(end: ResponseEnd, apiKey: string): ResponseEnd {
  if (end.ok) return end;
  const { error, said, ...rest } = end;
  const cleaned = { ...rest, error: errorWithoutKey(error, apiKey) };
  return said === undefined ? cleaned : { ...cleaned, said: answerWithoutKey(said, apiKey) };
}

type Opened =
  | { readonly ok: true; readonly response: Response; readonly quirks: ServerQuirks }
  | {
      readonly ok: false;
      readonly error: AgentErrorInfo;
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      /** The error as the server sent it. */
      readonly said?: string | undefined;
    };

/** Sends the request, repeatedly while the server loads its model, until there is an answer or an error. */
async function openResponse(attempts: Attempts): Promise<Opened> {
  const { connection, request, watch, log, silenceMs, loadingRetryMs, signal, tell } = attempts;
  let shown: 'connecting' | 'prefilling' | 'loading_model' = 'connecting';
  let polls = 0;
  for (;;) {
    if (signal.aborted) return { ok: false, error: describeAbort(signal) };
    const quirks = connection.quirks.get(request.model);
    const { isWhole } = attempts;
    const body = toWireRequest(request, quirks, { reportsProgress: connection.reportsProgress(), isWhole });
    log.request(body);
    // The package never removes its listener, so each attempt gets a signal of its own.
    const sending = post(connection, body, AbortSignal.any([signal]), () => watch.noteSent());
    let answer: Answer | undefined;
    while (!answer) {
      const step = await watch.next(sending);
      if (step.kind === 'value') answer = step.value;
      else if (step.kind === 'silent') return { ok: false, error: describeSilence(endpointOf(connection), silenceMs) };
      else if (step.kind === 'sent' && shown === 'connecting') {
        shown = 'prefilling';
        await tell({ type: 'status', status: shown });
      }
    }
    watch.noteByte();
    if (answer.kind === 'response') {
      if (shown !== 'prefilling') await tell({ type: 'status', status: 'prefilling' });
      return { ok: true, response: answer.response, quirks };
    }
    if (signal.aborted) return { ok: false, error: describeAbort(signal) };
    if (answer.kind === 'failure') return { ok: false, error: answer.error };
    const { status, body: said } = answer;
    if (isModelLoading(status, said)) {
      // Repeated, so that a screen without a clock can show the time.
      if (shown !== 'loading_model' || ++polls % POLLS_PER_STATUS === 0) {
        await tell({ type: 'status', status: 'loading_model', detail: serverMessage(said) });
      }
      shown = 'loading_model';
      await delay(loadingRetryMs, signal);
    } else {
      const warning = (await learnBySearch(attempts, quirks, answer)) ?? learn(attempts, quirks, answer);
      if (warning) {
        await tell(warning);
        continue;
      }
      const hasApiKey = connection.apiKey !== '';
      const { retryAfterMs } = answer;
      // Without a stream, the status comes after the whole answer.
      const during = !body.stream && status >= 500 ? 'answer' : undefined;
      return {
        ok: false,
        status,
        retryAfterMs,
        said,
        error: describeHttpError({ ...answer, model: request.model, hasApiKey, during }),
      };
    }
  }
}

/** Remembers the quirk that a rejection reveals. With a result the request should be sent again, after a warning. */
function learn(attempts: Attempts, sent: ServerQuirks, rejection: QuirkRejection): ModelEvent | undefined {
  const learned = learnQuirk(rejection, attempts.request, sent);
  return learned && remember(attempts, sent, learned);
}

/** Finds the tool whose schema the server rejects, and what to leave out of it, by small requests with some of the tools. */
async function learnBySearch(
  attempts: Attempts,
  sent: ServerQuirks,
  rejection: QuirkRejection,
): Promise<ModelEvent | undefined> {
  const { connection, request, signal } = attempts;
  const tryTools: TriesTools = async (some) => {
    const messages = [{ role: 'user', content: 'Hello' }] as const;
    const { model, sampling } = request;
    const tried = { model, systemPrompt: '', messages, tools: some, sampling: { ...sampling, maxTokens: 1 } };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TRIAL_MS)]);
    const asTheyAre = { ...sent, strippedSchemas: false, strippedTools: {} };
    const answer = await post(connection, toWireRequest(tried, asTheyAre), limit, () => undefined);
    if (answer.kind === 'response') {
      await answer.response.body?.cancel();
      return 'taken';
    }
    if (answer.kind === 'failure') return undefined;
    return isSchemaRejection(serverMessage(answer.body)) ? 'rejected' : undefined;
  };
  const learned = await learnSchema({ rejection, tools: request.tools, quirks: sent, tryTools });
  return learned && remember(attempts, sent, learned);
}

function remember(
  { connection, request }: Attempts,
  sent: ServerQuirks,
  learned: LearnedQuirk,
): ModelEvent | undefined {
  connection.quirks.learn(request.model, learned.quirks);
  // A memory may keep a person's setting. Then the same request would be rejected for ever.
  if (JSON.stringify(connection.quirks.get(request.model)) === JSON.stringify(sent)) return undefined;
  return { type: 'warning', code: 'server_quirk', message: learned.message };
}

/** The result of one attempt. `rejection`: an answer with an error status. */
type Answer =
  | { readonly kind: 'response'; readonly response: Response }
  | Rejection
  | { readonly kind: 'failure'; readonly error: AgentErrorInfo };

interface Rejection {
  readonly kind: 'rejection';
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** The longest delay of a timer, in milliseconds. */
const NO_TIMEOUT_MS = 2_147_483_647;
/** While a model loads. */
const POLLS_PER_STATUS = 10;
/** For a request that only tries tools. */
const TRIAL_MS = 120_000;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** Sends the request with the `openai` package, loaded here. Never rejects. */
async function post(
  connection: Connection,
  body: WireRequest,
  signal: AbortSignal,
  onSent: () => void,
): Promise<Answer> {
  const { baseUrl, apiKey } = connection;
  const url = endpointOf(connection);
  if (/[^\x21-\x7e]/.test(apiKey)) {
    const message = `The API key for ${url} contains characters that a key cannot have, such as spaces or line breaks. Set it again.`;
    return { kind: 'failure', error: { code: 'invalid_options', message } };
  }
  let rejection: Rejection | undefined;
  const send: typeof fetch = async (input, init) => {
    const request: TransportRequestInit = { ...init, headers: headersFor(connection), redirect: 'manual', onSent };
    const response = await connection.fetch(input, request);
    if (response.ok) return response;
    const { status } = response;
    const location = answerWithoutKey(response.headers.get('location') ?? '', apiKey) || undefined;
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    const said = answerWithoutKey(await readStart(response), apiKey);
    rejection = { kind: 'rejection', url, status, body: said, location, retryAfterMs };
    // Keeps the package from reading it again.
    return new Response(null, { status });
  };
  try {
    const { OpenAI } = await import('openai');
    const client = new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey === '' ? 'none' : apiKey,
      // Ignores environment variables meant for OpenAI.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: NO_TIMEOUT_MS,
      logLevel: 'off',
      fetch: send,
    });
    // The package's types lack `reasoning_content` and readonly lists.
    const parameters = body as unknown as Parameters<typeof client.chat.completions.create>[0];
    const response = await client.chat.completions.create(parameters, { signal }).asResponse();
    return { kind: 'response', response };
  } catch (error) {
    return rejection ?? { kind: 'failure', error: describeFetchError(error, { url }) };
  }
}

/** All headers. The package would add facts about this machine. */
function headersFor({ apiKey, sessionId }: Connection): Record<string, string> {
  return {
    accept: 'text/event-stream, application/json',
    'content-type': 'application/json',
    'user-agent': 'open-agent',
    ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    // The first is of vLLM's router and most gateways, the second of LiteLLM. Servers ignore them.
    ...(sessionId !== undefined && { 'x-session-id': sessionId, 'x-litellm-session-id': sessionId }),
  };
}

/** The beginning of a body, as text. The rest is not fetched. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    while (length < MAX_ERROR_BODY_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      length += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // A truncated error body still says enough.
    return text;
  }
  return text;
}

function endpointOf(connection: Connection): string {
  return `${connection.baseUrl}/chat/completions`;
}

/** Servers that fail before the first chunk of a stream, such as llama-cpp-python, say why only without a stream. */
function emptyStream(url: string): string {
  return `${url} ended its answer before it began, without a reason. It is asked once more for the answer in one piece.`;
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('text/event-stream') === true;
}

/** Takes the calls that a server could not read out of its own words, where these are complete calls and nothing else. */
function takeQuotedCalls(aggregator: StreamAggregator, newAggregator: () => StreamAggregator, said = ''): void {
  const quoted = aggregator.hasCalls ? undefined : quotedOutput(said);
  if (quoted === undefined) return;
  const chunk = { choices: [{ index: 0, delta: { content: `\n${quoted}` }, finish_reason: null }] };
  const trial = newAggregator();
  trial.accept(chunk);
  const { content } = trial.finish('unreadable');
  if (content.length > 0 && content.every(({ type }) => type === 'tool_use')) aggregator.accept(chunk);
}

function cutOffBy(error: AgentErrorInfo): CutOff {
  if (error.code === 'interrupted') return 'interrupted';
  return isUnreadableOutput(error) ? 'unreadable' : 'incomplete';
}

function usedIdsOf(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) if (block.type === 'tool_use') ids.add(block.id);
  }
  return ids;
}
