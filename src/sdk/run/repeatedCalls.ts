import type { AgentErrorInfo } from '../errors';
import type { ToolResultContent } from '../messages';

const NOTE_FROM = 3;
const STOP_AT = 5;

interface Seen {
  count: number;
  /** How many different results the run had when this one last came. */
  variety: number;
}

/** What is said of a result that came before: to the model, and when the run is to end. */
export interface Repeat {
  readonly count: number;
  /** For the model, beside the result. */
  readonly note: string;
  readonly stop?: AgentErrorInfo | undefined;
}

/**
 * The calls of one run and their results. The same call with the same result a third time gets a note; from the fifth
 * on the run is stopped, unless something new came of another call in between: who edits and tests again and again is
 * getting somewhere, even when the test says the same.
 */
export class RepeatedCalls {
  readonly #seen = new Map<string, Seen>();

  /** Takes the result of a call; a `Repeat` from the third time on. */
  add(call: { readonly name: string; readonly input: unknown }, content: ToolResultContent): Repeat | undefined {
    const key = stableJson([call.name, call.input, content]);
    const seen = this.#seen.get(key);
    if (!seen) {
      this.#seen.set(key, { count: 1, variety: this.#seen.size + 1 });
      return undefined;
    }
    const isStuck = seen.variety === this.#seen.size;
    seen.count += 1;
    seen.variety = this.#seen.size;
    const { count } = seen;
    if (count < NOTE_FROM) return undefined;
    const note = `[This call was made ${count} times and gave this same result each time. Do not repeat it: use what is known, or do something else.]`;
    if (count < STOP_AT || !isStuck) return { count, note };
    const message = `The run was stopped: the model called ${call.name} with the same arguments ${count} times and got the same result each time. Tell it what to do differently, or continue.`;
    return { count, note, stop: { code: 'loop_detected', message } };
  }
}

/** JSON that is the same for the same value, whatever the order of its keys. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
