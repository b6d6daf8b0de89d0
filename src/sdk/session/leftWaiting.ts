import type { EntryOf, SessionEntry } from './entries';

export type WaitingPrompt = Pick<EntryOf<'waiting_prompt'>, 'promptId'> & {
  readonly prompt: NonNullable<EntryOf<'waiting_prompt'>['prompt']>;
};

/** The prompts on file that the model has not got, oldest first. After a crash, nothing else knows them. */
export function leftWaiting(entries: readonly SessionEntry[]): readonly WaitingPrompt[] {
  const waiting = new Map<string, WaitingPrompt>();
  for (const entry of entries) {
    if (entry.type === 'user_message') waiting.delete(entry.id);
    if (entry.type !== 'waiting_prompt') continue;
    const { promptId, prompt } = entry;
    if (prompt) waiting.set(promptId, { promptId, prompt });
    else waiting.delete(promptId);
  }
  return [...waiting.values()];
}
