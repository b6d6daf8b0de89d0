import { withCause } from '../../errors';
import type { RunEnd } from '../../executionResult';
import type { UserPromptSubmitHook } from '../../hooks';
import { runUserPromptSubmit } from '../hooks/userPromptSubmit';

/** A prompt as the hooks left it, or how the turn ended. */
type JudgedPrompt = { readonly prompt: string } | { readonly end: RunEnd };

/** Decides about a prompt: by the limit of turns, then by the hooks. */
export async function judgePrompt(
  prompt: string,
  turns: { readonly count: number; readonly max: number | undefined },
  {
    hooks = [],
    signal,
  }: { readonly hooks?: readonly UserPromptSubmitHook[] | undefined; readonly signal: AbortSignal },
): Promise<JudgedPrompt> {
  if (turns.max !== undefined && turns.count >= turns.max) {
    const message = `The client has used all of its turns (maxTurns: ${turns.max}).`;
    return { end: { outcome: 'error', error: { code: 'max_turns', message } } };
  }
  const asked = await runUserPromptSubmit(hooks, prompt, signal);
  switch (asked.kind) {
    case 'allowed':
      return { prompt: asked.prompt };
    case 'interrupted':
      return { end: { outcome: 'interrupted' } };
    case 'denied': {
      const message = `The prompt was denied and not sent. Reason: ${asked.reason}`;
      return { end: { outcome: 'error', error: withCause({ code: 'denied', message }, asked.cause) } };
    }
  }
}
