import { BodyParser } from '../../../sdk/model/http/bodyParser';
import { readChoice } from '../../../sdk/model/wire/chunk';
import { readFinishReason, type FinishReason } from '../../../sdk/model/wire/finishReason';
import { isJsonObject, type JsonObject } from '../../../util/json';

interface RawChunk {
  readonly body: JsonObject;
  /** The number of the network read that completed this chunk. Chunks of one read arrived together. */
  readonly arrival: number;
}

/** An answer as it came over the wire, before the client interpreted it. */
export interface RawAnswer {
  readonly chunks: readonly RawChunk[];
  /** `[DONE]` arrived. */
  readonly isDone: boolean;
  /** The answer came in pieces, not as one whole message. */
  readonly isStream: boolean;
  /** The last finish reason, as understood and in the server's own word. */
  readonly finishReason: FinishReason | undefined;
  readonly finishWord: string | undefined;
  readonly hasUsage: boolean;
  /** The field of the reasoning. `reasoning_content` wins over `reasoning`. */
  readonly reasoningField: 'reasoning_content' | 'reasoning' | undefined;
  /** The text of the answer, with reasoning in tags. */
  readonly text: string;
  /** The pieces of native tool calls. */
  readonly callPieces: readonly JsonObject[];
  /** How many chunks had a piece of the answer, and in how many network reads they came. */
  readonly pieces: number;
  readonly arrivals: number;
}

/** More than any answer here. Further text passes through unread. */
const MAX_CHARACTERS = 2_000_000;

/** Records the answers that pass through a `fetch`, unchanged. Keeps the newest. */
export class AnswerTap {
  #chunks: RawChunk[] = [];
  #isDone = false;

  wrap(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      this.#chunks = [];
      this.#isDone = false;
      if (!response.ok || !response.body) return response;
      const { status, statusText, headers } = response;
      return new Response(response.body.pipeThrough(this.#listen()), { status, statusText, headers });
    };
  }

  get answer(): RawAnswer {
    const chunks = this.#chunks;
    const read = chunks.map(({ body, arrival }) => ({ choice: readChoice(body), arrival }));
    const choices = read.map(({ choice }) => choice).filter((choice) => choice !== undefined);
    const pieces = read.filter(
      ({ choice }) => choice && (choice.text + choice.thinking !== '' || choice.calls.length > 0),
    );
    return {
      chunks,
      isDone: this.#isDone,
      isStream: !choices.some(({ isWhole }) => isWhole),
      finishReason: choices.findLast((choice) => choice.finishReason !== undefined)?.finishReason,
      finishWord: chunks.map(({ body }) => finishWordOf(body)).findLast((word) => readFinishReason(word) !== undefined),
      hasUsage: chunks.some(({ body }) => isJsonObject(body['usage']) || isJsonObject(body['timings'])),
      reasoningField: (['reasoning_content', 'reasoning'] as const).find((field) => hasText(chunks, field)),
      text: choices.map(({ text }) => text).join(''),
      callPieces: choices.flatMap(({ calls }) => calls),
      pieces: pieces.length,
      arrivals: new Set(pieces.map(({ arrival }) => arrival)).size,
    };
  }

  #listen(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    const decoder = new TextDecoder();
    let arrival = 0;
    let length = 0;
    const parser = new BodyParser({
      chunk: (body) => this.#chunks.push({ body, arrival }),
      done: () => {
        this.#isDone = true;
      },
      // The client reports a broken answer.
      error: () => {},
      malformed: () => {},
      foreign: () => {},
    });
    return new TransformStream({
      transform(bytes, controller) {
        controller.enqueue(bytes);
        const text = decoder.decode(bytes, { stream: true });
        arrival += 1;
        length += text.length;
        if (length <= MAX_CHARACTERS) parser.feed(text);
      },
      flush() {
        if (length <= MAX_CHARACTERS) parser.end();
      },
    });
  }
}

function hasText(chunks: readonly RawChunk[], field: string): boolean {
  return chunks.some(({ body }) => {
    const choices: unknown = body['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isJsonObject(choice)) return false;
    const part = choice['delta'] ?? choice['message'];
    const value = isJsonObject(part) ? part[field] : undefined;
    return typeof value === 'string' && value !== '';
  });
}

function finishWordOf(body: JsonObject): string | undefined {
  const choices = body['choices'];
  const words = Array.isArray(choices)
    ? choices.map((choice) => (isJsonObject(choice) ? choice['finish_reason'] : undefined))
    : [];
  return words.find((word) => typeof word === 'string');
}
