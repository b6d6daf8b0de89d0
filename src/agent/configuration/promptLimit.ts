import * as l10n from '../../util/l10n';
import type { UserPromptSubmitHook } from '../../sdk/hooks';

/** Refuses prompts beyond an agent's limit for a session. `taken`: the number of earlier prompts. */
export function promptLimit(maxTurns: number, taken: number, agentId = ''): UserPromptSubmitHook {
  let count = taken;
  return () => {
    count += 1;
    if (count <= maxTurns) return undefined;
    const reason =
      maxTurns === 1
        ? l10n.t('The agent "{0}" takes one prompt in a session (maxTurns). Start a new session.', agentId)
        : l10n.t('The agent "{0}" takes {1} prompts in a session (maxTurns). Start a new session.', agentId, maxTurns);
    return { action: 'deny', reason };
  };
}
