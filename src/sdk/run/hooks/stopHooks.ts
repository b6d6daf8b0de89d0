import type { StopHook } from '../../hooks';
import { raceAbort } from '../../abort';
import type { Signal } from '../../platform';
import { messageOf } from '../../../util/errors';

export type StopOutcome =
  | { readonly kind: 'end' }
  | { readonly kind: 'continue'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: string };

/**
 * Asks the hooks in order if the run may end with this answer. The first message counts. A hook that throws or answers
 * something else lets it end. Never throws.
 */
export async function runStopHooks(hooks: readonly StopHook[], text: string, signal: Signal): Promise<StopOutcome> {
  for (const hook of hooks) {
    try {
      const raced = await raceAbort((async () => hook({ type: 'Stop', text, signal }))(), signal);
      if (raced.isAborted) return { kind: 'end' };
      const answer: unknown = raced.value;
      if (answer === undefined) continue;
      const { action, message } = (answer ?? {}) as Readonly<Record<string, unknown>>;
      if (action === 'continue' && typeof message === 'string' && message.trim() !== '')
        return { kind: 'continue', message };
      return { kind: 'failed', error: 'A Stop hook answered something that is no decision for it. The run ended.' };
    } catch (error) {
      return { kind: 'failed', error: `A Stop hook failed, so the run ended: ${messageOf(error)}` };
    }
  }
  return { kind: 'end' };
}
