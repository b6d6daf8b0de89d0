import { StringDecoder } from 'node:string_decoder';
import * as l10n from '../../../util/l10n';
import { isJsonObject, parseJson } from '../../../util/json';
import { AgentError, withCause, type AgentErrorInfo } from '../../errors';
import { BodyParser } from './bodyParser';
import { piecesOf } from './bodyPieces';
import { describeForeignBody, describeHttpError, describeStreamFailure, isContextOverflow } from '../errors/httpErrors';
import type { ModelEvent } from '../modelProvider';
import type { CutOff } from '../cutOff';
import { LoadingNotice } from '../wire/loadingNotice';
import type { StreamAggregator } from '../stream/streamAggregator';
import type { EventSink } from '../sentEvents';
import type { StreamWatch } from './streamWatch';

/** How the body of a response ended: an answer, perhaps cut off, or an error. */
export type ResponseEnd =
  | { readonly ok: true; readonly cutOff: CutOff | undefined }
  | {
      readonly ok: false;
      readonly error: AgentErrorInfo;
      /** The error as the server sent it, if it did. */
      readonly said?: string | undefined;
      /** The stream ended in order, without a word of an answer. */
      readonly isEmpty?: boolean | undefined;
    };

export interface ResponseReading {
  readonly response: Response;
  readonly url: string;
  readonly aggregator: StreamAggregator;
  readonly watch: StreamWatch;
  readonly silenceMs: number | null;
  /** Takes the API key out of what a server says in a chunk that is none. */
  readonly withoutKey: (text: string) => string;
  readonly signal: AbortSignal;
}

/** Far longer than any answer. Stops a server that never ends. */
const MAX_ANSWER_CHARACTERS = 4_000_000;
const MAX_BODY_BYTES = 1024 * 1024 * 1024;

/**
 * Reads the body into the aggregator, and sends the events of each read as one array before it asks for the next. Ends when the sink
 * has left. Leaves open blocks open.
 */
export async function readResponse(reading: ResponseReading, sink: EventSink): Promise<ResponseEnd> {
  const { response, url, aggregator, watch, silenceMs, withoutKey, signal } = reading;
  const pieces = piecesOf(response);
  if (!pieces) return { ok: false, error: describeForeignBody({ url, status: response.status, body: '' }) };
  const body = new BodyState(aggregator, withoutKey);
  // Several times faster than `TextDecoder` with small pieces.
  const decoder = new StringDecoder('utf8');
  let phase: 'prefilling' | 'generating' | 'stalled' = 'prefilling';
  let receivedCharacters = 0;
  let byteCount = 0;
  while (!body.hasEnded) {
    let begun: readonly ModelEvent[] | undefined;
    try {
      const step = await watch.ready((settle) => pieces.whenReady(settle));
      if (step === 'silent') return { ok: false, error: describeSilence(url, silenceMs) };
      // Some servers send neither [DONE] nor the end of the connection.
      if (step === 'stalled' && aggregator.isFinished) return { ok: true, cutOff: undefined };
      if (step === 'stalled' && phase === 'generating') {
        phase = 'stalled';
        await sink.take([{ type: 'status', status: 'stalled' }]);
        if (sink.hasLeft) return { ok: false, error: describeAbort(signal) };
      }
      if (step !== 'ready') continue;
      watch.noteByte();
      const taken = pieces.take();
      for (const piece of taken.pieces) {
        byteCount += piece.byteLength;
        body.feed(decoder.write(piece), false);
      }
      if (taken.isOver) body.feed(decoder.end(), true);
    } catch (error) {
      if (signal.aborted) return { ok: false, error: describeAbort(signal) };
      // A complete answer counts however the connection ends.
      if (aggregator.isFinished) return { ok: true, cutOff: undefined };
      return { ok: false, error: describeStreamFailure(error, { url }) };
    }
    if (aggregator.receivedCharacters > receivedCharacters) {
      receivedCharacters = aggregator.receivedCharacters;
      watch.noteProgress();
      if (phase !== 'generating') begun = [{ type: 'status', status: 'generating' }];
      phase = 'generating';
    }
    if (aggregator.isFinished) watch.noteProgress();
    const events = body.takeEvents();
    const taken = sink.take(begun ? [...begun, ...events] : events);
    if (taken) await taken;
    if (sink.hasLeft) return { ok: false, error: describeAbort(signal) };
    if (signal.aborted && !aggregator.isFinished) return { ok: false, error: describeAbort(signal) };
    if (receivedCharacters > MAX_ANSWER_CHARACTERS || byteCount > MAX_BODY_BYTES) return { ok: true, cutOff: 'length' };
  }
  return body.endingOf(url, response.status);
}

/** The state of a body that arrives in pieces. */
class BodyState {
  readonly #aggregator: StreamAggregator;
  readonly #parser: BodyParser;
  readonly #withoutKey: (text: string) => string;
  readonly #notice = new LoadingNotice();
  #isLoading = false;
  #events: ModelEvent[] = [];
  #error: string | undefined;
  #foreign: string | undefined;
  #hasChunk = false;
  #isDone = false;
  hasEnded = false;

  constructor(aggregator: StreamAggregator, withoutKey: (text: string) => string) {
    this.#aggregator = aggregator;
    this.#withoutKey = withoutKey;
    this.#parser = new BodyParser({
      chunk: (chunk) => {
        this.#hasChunk = true;
        if (this.#notice.take(chunk)) this.#noteLoading();
        else if (this.#error === undefined) aggregator.accept(chunk);
      },
      error: (error) => {
        this.#error ??= error;
        this.hasEnded = true;
      },
      malformed: (text) => this.#takeMalformed(text),
      done: () => {
        this.#isDone = true;
        aggregator.noteEnd();
        this.hasEnded = true;
      },
      foreign: (text) => (this.#foreign ??= text),
    });
  }

  feed(text: string, isLast: boolean): void {
    if (!this.hasEnded) this.#parser.feed(text);
    if (!isLast) return;
    if (!this.hasEnded) this.#parser.end();
    this.hasEnded = true;
  }

  #noteLoading(): void {
    if (!this.#isLoading) this.#events.push({ type: 'status', status: 'loading_model' });
    this.#isLoading = true;
  }

  /** Some servers report a long prompt as plain text instead of a chunk. */
  #takeMalformed(text: string): void {
    this.#aggregator.noteLoss();
    this.#events.push(...this.#aggregator.takeEvents(), {
      type: 'malformed_chunk',
      text: this.#withoutKey(text),
    });
    if (this.#aggregator.receivedCharacters > 0 || !isContextOverflow(text)) return;
    this.#error ??= text;
    this.hasEnded = true;
  }

  takeEvents(): readonly ModelEvent[] {
    // Before the first chunk the body may be no answer at all. The error about that quotes it.
    if (!this.#hasChunk && (!this.hasEnded || this.#foreign !== undefined)) return [];
    if (this.#events.length === 0) return this.#aggregator.takeEvents();
    const events = [...this.#events, ...this.#aggregator.takeEvents()];
    this.#events = [];
    return events;
  }

  endingOf(url: string, status: number): ResponseEnd {
    const { isFinished, endsWithReason, receivedCharacters } = this.#aggregator;
    if (isFinished || (endsWithReason && this.#error === undefined)) return { ok: true, cutOff: undefined };
    if (this.#error !== undefined) {
      const body = this.#error;
      const during = receivedCharacters > 0 ? 'answer' : undefined;
      const error = describeHttpError({ url, status: statusIn(body) ?? status, body, during });
      return { ok: false, error, said: body };
    }
    if (this.#foreign !== undefined) {
      return { ok: false, error: describeForeignBody({ url, status, body: this.#foreign }) };
    }
    // An end marker alone is no answer: llama-cpp-python sends it when another request ends this one.
    if (this.#isDone && receivedCharacters > 0) return { ok: true, cutOff: undefined };
    if (receivedCharacters > 0) return { ok: true, cutOff: 'incomplete' };
    return { ok: false, error: describeStreamFailure(undefined, { url }), isEmpty: true };
  }
}

/** The HTTP status in an error inside a stream. */
function statusIn(body: string): number | undefined {
  const parsed = parseJson(body);
  const error = isJsonObject(parsed) && isJsonObject(parsed['error']) ? parsed['error'] : parsed;
  const code = isJsonObject(error) ? Number(error['code'] ?? error['status']) : Number.NaN;
  return code >= 400 && code < 600 ? code : undefined;
}

export function describeSilence(url: string, silenceMs: number | null): AgentErrorInfo {
  const seconds = Math.round((silenceMs ?? 0) / 1000);
  return {
    code: 'silent',
    message: l10n.t("{0} has sent nothing for {1} s. Look at the server's log, or give it more time.", url, seconds),
  };
}

export function describeAbort(signal: AbortSignal): AgentErrorInfo {
  const reason: unknown = signal.reason;
  const message = reason instanceof AgentError ? reason.message : l10n.t('The request was interrupted.');
  return withCause({ code: 'interrupted', message }, reason);
}
