import type { UserPromptSubmitHook } from '../../sdk/hooks';

/** Refuses the prompts of a session that are more than an agent takes. `taken`: how many the session had before. */
export function promptLimit(maxTurns: number, taken: number, agentId = ''): UserPromptSubmitHook {
  let count = taken;
  return () => {
    count += 1;
    if (count <= maxTurns) return undefined;
    const reason = `The agent "${agentId}" takes ${maxTurns === 1 ? 'one prompt' : `${maxTurns} prompts`} in a session (maxTurns). Start a new session.`;
    return { action: 'deny', reason };
  };
}
