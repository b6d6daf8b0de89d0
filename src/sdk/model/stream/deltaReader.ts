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

  #takeChoice(chunk: Chunk): void {
    const { text, thinking, calls, isWhole } = chunk;
    // Some servers close a stream with the whole message once more.
    const isRepeated = isWhole && this.#receivedCharacters > 0;
    if (!this.#hasEnded) this.#takeReason(chunk, isRepeated);
    if (isRepeated) return;
    if (thinking !== '' && !this.#hasEnded) {
      this.#receivedCharacters += thinking.length;
      const added = this.#reasoning.push(thinking);
      if (added !== '') this.#sink.reasoning(added);
    }
    if (text !== '' && !this.#hasEnded) {
      this.#receivedCharacters += text.length;
      const added = this.#text.push(text);
      if (added !== '') this.#sink.text(added);
    }
    for (const call of calls) this.#receivedCharacters += 1 + this.#sink.call(call);
  }

  #takeReason({ text, thinking, calls, finishReason, isWhole }: Chunk, isRepeated: boolean): void {
    const hasContent = !isRepeated && (text !== '' || thinking !== '' || calls.length > 0);
    if (hasContent && this.#isReasonLast) this.#hasGoneOn = true;
    if (hasContent) this.#isReasonLast = false;
    const reason = finishReason ?? (isWhole && this.#finishReason === undefined ? 'stop' : undefined);
    if (reason === undefined) return;
    this.#finishReason = reason;
    this.#isReasonLast = true;
  }
}
