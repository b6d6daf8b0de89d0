import type { UserPromptSubmitHook } from '../../sdk/hooks';

/** Refuses prompts beyond an agent's limit for a session. `taken`: the number of earlier prompts. */
export function promptLimit(maxTurns: number, taken: number, agentId = ''): UserPromptSubmitHook {
  let count = taken;
  return () => {
    count += 1;
    if (count <= maxTurns) return undefined;
    const reason = `The agent "${agentId}" takes ${maxTurns === 1 ? 'one prompt' : `${maxTurns} prompts`} in a session (maxTurns). Start a new session.`;
    return { action: 'deny', reason };
  };
}
