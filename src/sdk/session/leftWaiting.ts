import { runAtOnce, PIECES_OF_STEP, type Steps } from '../../util/slices/steps';
import type { EntryOf, SessionEntry } from './entries';

export type WaitingPrompt = Pick<EntryOf<'waiting_prompt'>, 'promptId'> & {
  readonly prompt: NonNullable<EntryOf<'waiting_prompt'>['prompt']>;
};

/** The prompts on file that the model has not got, oldest first. */
export function leftWaiting(entries: readonly SessionEntry[]): readonly WaitingPrompt[] {
  return runAtOnce(leftWaitingSteps(entries));
}

/** As `leftWaiting`, in steps. */
export function* leftWaitingSteps(entries: readonly SessionEntry[]): Steps<readonly WaitingPrompt[]> {
  const waiting = new Map<string, WaitingPrompt>();
  let index = 0;
  for (const entry of entries) {
    if (index++ % PIECES_OF_STEP === 0) yield;
    if (entry.type === 'user_message' && waiting.size > 0) waiting.delete(entry.id);
    if (entry.type !== 'waiting_prompt') continue;
    const { promptId, prompt } = entry;
    if (prompt) waiting.set(promptId, { promptId, prompt });
    else waiting.delete(promptId);
  }
  return [...waiting.values()];
}
