import { isJsonObject, type JsonObject } from '../../../util/json';
import { readChoice } from './chunk';

/**
 * Recognises the words of llama-swap about a model that it loads. With `sendLoadingState` it sends them as thoughts before
 * the answer: a line of five bars, text in pieces, and a line of five bars. Its chunks have no `id`, those of the model do.
 * Seen with a build of August 2026.
 */
export class LoadingNotice {
  #state: 'before' | 'notice' | 'answer' = 'before';

  /** Whether the chunk is such a notice: it is no part of the answer. */
  take(chunk: JsonObject): boolean {
    if (this.#state === 'answer') return false;
    const isNotice = isThoughtWithoutId(chunk) && (this.#state === 'notice' || readChoice(chunk)?.thinking === bars);
    this.#state = isNotice ? 'notice' : 'answer';
    return isNotice;
  }
}

const bars = '━━━━━';

function isThoughtWithoutId(chunk: JsonObject): boolean {
  const choices = chunk['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta = isJsonObject(choice) ? choice['delta'] : undefined;
  return chunk['id'] === undefined && isJsonObject(delta) && Object.keys(delta).join() === 'reasoning_content';
}
