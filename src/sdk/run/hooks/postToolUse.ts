import { messageOf } from '../../../util/errors';
import { raceAbort } from '../../abort';
import type { PostToolUseEvent, PostToolUseHook } from '../../hooks';
import type { Signal } from '../../platform';

/** Tells the hooks about a result. Returns the messages of the hooks that failed. Never throws. */
export async function runPostToolUse(
  hooks: readonly PostToolUseHook[],
  event: PostToolUseEvent,
  signal: Signal,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const hook of hooks) {
    try {
      // After an interruption the hooks are still called, but nobody waits for them.
      await raceAbort((async () => hook(event))(), signal);
    } catch (error) {
      failures.push(`A PostToolUse hook failed after ${event.toolName}: ${messageOf(error)}`);
    }
  }
  return failures;
}
