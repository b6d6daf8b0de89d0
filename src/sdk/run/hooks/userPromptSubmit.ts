import type { UserPromptSubmitHook } from '../../hooks';
import type { Signal } from '../../platform';
import { askHook, type Refusal } from './askHook';

export type UserPromptOutcome = { readonly kind: 'allowed'; readonly prompt: string } | Refusal;

/** Asks the hooks in order. Each sees the prompt that the one before left. An unknown answer denies. Never throws. */
export async function runUserPromptSubmit(
  hooks: readonly UserPromptSubmitHook[],
  prompt: string,
  signal: Signal,
): Promise<UserPromptOutcome> {
  let text = prompt;
  for (const hook of hooks) {
    const asked = await askHook('UserPromptSubmit', () => hook({ type: 'UserPromptSubmit', prompt: text }), signal);
    if ('refusal' in asked) return asked.refusal;
    switch (asked.answer?.action) {
      case 'modifyPrompt':
        text = asked.answer.prompt;
        break;
      case 'deny':
        return { kind: 'denied', reason: asked.answer.reason };
      case 'allow':
      case undefined:
        break;
    }
  }
  return { kind: 'allowed', prompt: text };
}
