import type { EntryOf, SessionEntry } from './entries';

export type WaitingPrompt = Pick<EntryOf<'waiting_prompt'>, 'promptId'> & {
  readonly prompt: NonNullable<EntryOf<'waiting_prompt'>['prompt']>;
};

/** The prompts on file that the model has not got, oldest first. */
export function leftWaiting(entries: readonly SessionEntry[]): readonly WaitingPrompt[] {
  const waiting = new LeftWaiting();
  for (const entry of entries) waiting.add(entry);
  return waiting.prompts;
}

/** As `leftWaiting`, for entries that come one after the other. */
export class LeftWaiting {
  readonly #waiting = new Map<string, WaitingPrompt>();

  get prompts(): readonly WaitingPrompt[] {
    return [...this.#waiting.values()];
  }

  add(entry: SessionEntry): void {
    if (entry.type === 'user_message' && this.#waiting.size > 0) this.#waiting.delete(entry.id);
    if (entry.type !== 'waiting_prompt') return;
    const { promptId, prompt } = entry;
    if (prompt) this.#waiting.set(promptId, { promptId, prompt });
    else this.#waiting.delete(promptId);
  }
}
