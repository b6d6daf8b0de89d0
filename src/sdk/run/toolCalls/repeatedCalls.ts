import type { AgentErrorInfo } from '../../errors';
import type { ToolResultContent } from '../../messages';
import * as l10n from '../../../util/l10n';

const NOTE_FROM = 3;

interface Seen {
  count: number;
  /** Number of different results when this one last came. */
  variety: number;
}

/** A call that gave the same result again. */
export interface Repeat {
  readonly count: number;
  /** Added to the result for the model. */
  readonly note: string;
  readonly stop?: AgentErrorInfo | undefined;
}

/**
 * Watches the calls of one run. The same call with the same result gets a note the third time and stops the run the
 * `stopAt`th time. It does not stop while other calls give new results: editing and testing in turn makes progress, even
 * when the test fails in the same way.
 */
export class RepeatedCalls {
  readonly #seen = new Map<string, Seen>();
  readonly #stopAt: number | null;

  /** `null`: watches nothing. */
  constructor(stopAt: number | null) {
    this.#stopAt = stopAt;
  }

  /** Takes the result of a call. Returns a `Repeat` from the third time on. */
  add(call: { readonly name: string; readonly input: unknown }, content: ToolResultContent): Repeat | undefined {
    if (this.#stopAt === null) return undefined;
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
    if (count < Math.min(NOTE_FROM, this.#stopAt)) return undefined;
    const note = `[This call was made ${count} times and gave this same result each time. Do not repeat it: use what is known, or do something else.]`;
    if (count < this.#stopAt || !isStuck) return { count, note };
    const message = l10n.t(
      'The run was stopped: the model called {0} with the same arguments {1} times and got the same result each time. Tell it what to do differently.',
      call.name,
      count,
    );
    return { count, note, stop: { code: 'loop_detected', message } };
  }
}

/** The content of a result with the note. */
export function noteRepeat(content: string, { note }: Repeat): string {
  return `${content}\n\n${note}`;
}

/** JSON that does not depend on the order of keys. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
