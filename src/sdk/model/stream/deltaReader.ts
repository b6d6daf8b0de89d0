import { isJsonObject, type JsonObject } from '../../../util/json';
import type { PromptProgress } from '../../events';
import type { Usage } from '../../messages';
import { readChoice, readProgress, readUsage, type Chunk } from '../wire/chunk';
import type { FinishReason } from '../wire/finishReason';
import { SnapshotDetector } from './snapshotDetector';

/** Receives what is new in each chunk. */
export interface DeltaSink {
  progress(progress: PromptProgress): void;
  /** More of the reasoning field. */
  reasoning(text: string): void;
  text(text: string): void;
  /** An entry of `tool_calls`. Returns how many characters of arguments it brought. */
  call(entry: JsonObject): number;
}

/** First stage: parsed chunks to deltas. A stream whose chunks repeat the whole text becomes one of new pieces. */
export class DeltaReader {
  readonly #sink: DeltaSink;
  readonly #text = new SnapshotDetector();
  readonly #reasoning = new SnapshotDetector();
  #responseId = '';
  #model = '';
  #usage: Usage | undefined;
  #finishReason: FinishReason | undefined;
  /** Nothing of the answer came after the newest reason. */
  #isReasonLast = false;
  #hasGoneOn = false;
  #receivedCharacters = 0;
  #hasText = false;
  #hasThinking = false;
  #hasCalls = false;
  /** What came in messages. `undefined`: deltas came first. */
  #messages: { readonly text: string; readonly thinking: string } | undefined;
  #hasEnded = false;

  constructor(sink: DeltaSink) {
    this.#sink = sink;
  }

  /** Why the server says that the answer is over: its newest reason. `undefined` before. */
  get finishReason(): FinishReason | undefined {
    return this.#finishReason;
  }

  /** Whether the answer ends with its reason. */
  get endsWithReason(): boolean {
    return this.#isReasonLast;
  }

  /** Whether the answer went on after a reason. Then the server's next reason may not be the end either. */
  get hasGoneOn(): boolean {
    return this.#hasGoneOn;
  }

  /** How many characters of the model's output have come. */
  get receivedCharacters(): number {
    return this.#receivedCharacters;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** As the server named them; empty before. */
  get ids(): { readonly responseId: string; readonly model: string } {
    return { responseId: this.#responseId, model: this.#model };
  }

  /** Takes one parsed chunk, or a whole completion. Ignores anything else. */
  accept(chunk: unknown): void {
    if (!isJsonObject(chunk)) return;
    const { id, model } = chunk;
    if (this.#responseId === '' && typeof id === 'string') this.#responseId = id;
    if (this.#model === '' && typeof model === 'string') this.#model = model;
    const progress = readProgress(chunk);
    if (progress) this.#sink.progress(progress);
    this.#usage = readUsage(chunk) ?? this.#usage;
    const choice = readChoice(chunk);
    if (choice) this.#takeChoice(choice);
  }

  /** The end marker has come. Text, thinking and a finish reason after it are ignored. */
  noteEnd(): void {
    this.#hasEnded = true;
  }

  /** Gives out the text that was held back. */
  end(): void {
    const reasoning = this.#reasoning.end();
    if (reasoning !== '') this.#sink.reasoning(reasoning);
    const text = this.#text.end();
    if (text !== '') this.#sink.text(text);
  }

  #takeChoice(received: Chunk): void {
    const chunk = received.isWhole ? this.#newOf(received) : received;
    const { text, thinking, calls } = chunk;
    if (!this.#hasEnded) this.#takeReason(chunk);
    if (thinking !== '' && !this.#hasEnded) {
      this.#receivedCharacters += thinking.length;
      this.#hasThinking = true;
      const added = this.#reasoning.push(thinking);
      if (added !== '') this.#sink.reasoning(added);
    }
    if (text !== '' && !this.#hasEnded) {
      this.#receivedCharacters += text.length;
      this.#hasText = true;
      const added = this.#text.push(text);
      if (added !== '') this.#sink.text(added);
    }
    if (calls.length > 0) this.#hasCalls = true;
    for (const call of calls) this.#receivedCharacters += 1 + this.#sink.call(call);
  }

  /**
   * The new parts of a message. Some servers close a stream with the whole message once more, where a part may have come in no
   * delta. Others send messages in the place of deltas: pieces, or all so far.
   */
  #newOf(chunk: Chunk): Chunk {
    if (this.#receivedCharacters === 0) this.#messages = { text: '', thinking: '' };
    const before = this.#messages;
    if (!before) {
      return {
        ...chunk,
        text: this.#hasText ? '' : chunk.text,
        thinking: this.#hasThinking || this.#hasText ? '' : chunk.thinking,
        calls: this.#hasCalls ? [] : chunk.calls,
      };
    }
    const text = newIn(before.text, chunk.text);
    const thinking = newIn(before.thinking, chunk.thinking);
    this.#messages = { text: before.text + text, thinking: before.thinking + thinking };
    return { ...chunk, text, thinking, calls: chunk.calls.map(withPlace) };
  }

  #takeReason({ text, thinking, calls, finishReason, isWhole, isOpen }: Chunk): void {
    const hasContent = text !== '' || thinking !== '' || calls.length > 0;
    if (hasContent && this.#isReasonLast) this.#hasGoneOn = true;
    if (hasContent) this.#isReasonLast = false;
    const reason = finishReason ?? (isWhole && !isOpen && this.#finishReason === undefined ? 'stop' : undefined);
    if (reason === undefined) return;
    this.#finishReason = reason;
    this.#isReasonLast = true;
  }
}

/** What a text adds to the one before: it may begin with all of it. */
function newIn(before: string, text: string): string {
  return text.startsWith(before) ? text.slice(before.length) : text;
}

/** The calls of a message stand in one list, so their place tells them apart. */
function withPlace(call: JsonObject, index: number): JsonObject {
  return call['id'] === undefined && call['index'] === undefined ? { ...call, index } : call;
}
