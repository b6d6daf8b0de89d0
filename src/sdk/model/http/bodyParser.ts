import { createParser, type EventSourceParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject, parseJson } from '../../../util/json';
import { hasChoice, readError } from '../wire/chunk';
import { gluedPieces } from './gluedEvents';

export interface BodySink {
  chunk(chunk: JsonObject): void;
  /** An error of the server, as it sent it. */
  error(body: string): void;
  /** A piece that is not JSON. Reading goes on after it. */
  malformed(text: string): void;
  /** `[DONE]`: the end of the stream. */
  done(): void;
  /** The body is no answer: a web page, other JSON, or plain text. */
  foreign(body: string): void;
}

/**
 * Reads the body of a streaming response in any form: an event stream, one complete JSON answer, JSON lines, a bare
 * error, or a web page.
 */
export class BodyParser {
  readonly #sink: BodySink;
  readonly #events: EventSourceParser;
  #kind: 'unknown' | 'events' | 'json' | 'foreign' = 'unknown';
  #collected: string[] = [];
  #collectedLength = 0;
  #hasChunk = false;
  #isEnding = false;

  constructor(sink: BodySink) {
    this.#sink = sink;
    this.#events = createParser({
      maxBufferSize: MAX_LENGTH,
      onEvent: ({ event, data }) => this.#readData(data, event === 'error'),
      onError: (error) => {
        if (error.type === 'unknown-field') this.#readUnframed(error.line ?? '');
        else if (error.type === 'max-buffer-size-exceeded') {
          this.#kind = 'foreign';
          this.#sink.error(`The server sent a line of more than ${MAX_LENGTH} characters.`);
        }
      },
    });
  }

  feed(text: string): void {
    switch (this.#kind) {
      case 'events':
        this.#events.feed(text);
        return;
      case 'json':
        this.#collectJson(text);
        return;
      case 'foreign':
        this.#collect(text);
        return;
      case 'unknown':
        this.#begin(text.trimStart());
    }
  }

  /** Tells the form of the body by its first visible text. */
  #begin(head: string): void {
    const first = head.charAt(0);
    if (first === '') return;
    this.#kind = first === '{' || first === '[' ? 'json' : first === '<' ? 'foreign' : 'events';
    this.feed(head);
  }

  /** The body has ended. */
  end(): void {
    if (this.#kind === 'events') {
      // Some servers omit the empty line after the last event.
      this.#isEnding = true;
      this.#events.feed('\n\n');
      const unframed = this.#collected.join('\n');
      if (!this.#hasChunk && unframed !== '') this.#sink.foreign(unframed);
      return;
    }
    const body = this.#collected.join('');
    if (this.#kind === 'json') this.#readJson(body);
    else if (this.#kind === 'foreign') this.#sink.foreign(body);
  }

  #readJson(body: string): void {
    const whole = parseJson(body);
    const chunks = (Array.isArray(whole) ? whole : [whole]).filter(isJsonObject);
    if (chunks.some((chunk) => readError(chunk) !== undefined || Array.isArray(chunk['choices']) || hasChoice(chunk))) {
      for (const chunk of chunks) this.#readChunk(chunk);
      // The body was whole, and so is the answer, whether or not it has a reason.
      if (chunks.some(hasChoice)) this.#sink.done();
      return;
    }
    if (whole !== undefined) {
      this.#sink.foreign(body);
      return;
    }
    const lines = body.split('\n').filter((line) => line.trim() !== '');
    const isChunks = isJsonObject(parseJson(lines.length > 1 ? (lines[0] ?? '') : (gluedPieces(body)?.[0] ?? '')));
    if (isChunks) for (const line of lines) this.#readData(line, false);
    else this.#sink.foreign(body);
  }

  #readChunk(chunk: JsonObject): void {
    this.#hasChunk = true;
    const error = readError(chunk);
    if (error === undefined) this.#sink.chunk(chunk);
    else this.#sink.error(error);
  }

  #readData(data: string, isError: boolean, depth = 0): void {
    if (isError) return this.#sink.error(data);
    const parsed = parseJson(data);
    const value = parsed === undefined ? readOddNumbers(data) : parsed;
    if (!this.#readValue(value, depth)) this.#readText(data.trim(), depth);
  }

  /** Reads a chunk, a list of chunks, or either encoded twice: as a string that holds JSON. Tells whether it is one. */
  #readValue(value: unknown, depth: number): boolean {
    if (isJsonObject(value)) {
      this.#readChunk(value);
      return true;
    }
    if (value === null || depth >= MAX_DEPTH) return value === null;
    if (Array.isArray(value)) {
      const isChunks = value.every((item) => isJsonObject(item) || typeof item === 'string');
      return isChunks && value.every((item) => this.#readValue(item, depth + 1));
    }
    if (typeof value !== 'string' || !/^\s*(?:[{["]|data:)/.test(value)) return false;
    this.#readData(value, false, depth + 1);
    return true;
  }

  #readText(text: string, depth: number): void {
    const again = (data: string): void => this.#readData(data, false, depth + 1);
    const pieces = depth < MAX_DEPTH && text.startsWith('{') ? gluedPieces(text) : undefined;
    if (text === '') return;
    if (text.length === 6 && text.toUpperCase() === '[DONE]') this.#sink.done();
    // Some proxies frame events that are framed already.
    else if (text.startsWith('data:')) this.#readData(text.replace(/^(?:data:\s*)+/, ''), false, depth);
    // Some write several chunks on one line.
    else if (pieces) pieces.forEach(again);
    // Events without an empty line between them arrive as one.
    else if (depth < MAX_DEPTH && text.includes('\n')) text.split('\n').forEach(again);
    else {
      // The last piece of a broken connection does not mean another protocol.
      if (!this.#isEnding) this.#collectForeign(text);
      this.#reject(text);
    }
  }

  #readUnframed(line: string): void {
    const error = /^error\s*:\s*(.*)$/s.exec(line)?.[1];
    if (error !== undefined) this.#sink.error(error);
    else if (/^\s*["{[]/.test(line) && parseJson(line) !== undefined) this.#readData(line, false);
    else {
      this.#collectForeign(line);
      this.#reject(line);
    }
  }

  #collectJson(text: string): void {
    this.#collectedLength += text.length;
    if (this.#collectedLength <= MAX_LENGTH) {
      this.#collected.push(text);
      return;
    }
    this.#collected = [];
    this.#kind = 'foreign';
    this.#sink.error(`The server sent an answer of more than ${MAX_LENGTH} characters in one piece.`);
  }

  #collectForeign(text: string): void {
    if (!this.#hasChunk) this.#collect(text);
  }

  #reject(text: string): void {
    this.#sink.malformed(text.slice(0, MAX_MALFORMED_LENGTH).toWellFormed());
  }

  #collect(text: string): void {
    if (this.#collectedLength > MAX_FOREIGN_LENGTH) return;
    this.#collectedLength += text.length;
    this.#collected.push(text);
  }
}

/** Reads JSON with the numbers that Python writes and JSON has not, `NaN` and `Infinity`, as `null`. */
function readOddNumbers(json: string): unknown {
  if (json.length > MAX_ODD_LENGTH || !/\b(?:NaN|Infinity)\b/.test(json)) return undefined;
  const number = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;
  return parseJson(json.replace(number, (part) => (part.startsWith('"') ? part : 'null')));
}

/** How often data may be encoded or framed again. */
const MAX_DEPTH = 4;
/** Limit for one line, and for a body that is read as a whole. */
const MAX_LENGTH = 64 * 1024 * 1024;
const MAX_ODD_LENGTH = 256 * 1024;
const MAX_FOREIGN_LENGTH = 64 * 1024;
const MAX_MALFORMED_LENGTH = 200;
