import * as z from 'zod';
import type { SessionEntry } from '../../sdk/session/entries';
import { findEntries, type ReadPieces } from './findEntries';

/** A prompt that a person sent. */
export const EarlierPrompt = z.object({
  text: z.string(),
  /** Milliseconds since the epoch. */
  ts: z.number(),
});
export type EarlierPrompt = z.infer<typeof EarlierPrompt>;

/** Of one session; the newest count. */
const MAX_PROMPTS = 100;
/** A longer text is left out: a part of it would be another prompt. */
const MAX_CHARACTERS = 10_000;
/** Of all sessions together. */
const MAX_LISTED = 200;
const WANTED = /"type":"user_message"/;

/** The prompts of a conversation, oldest first, also those sent during a run. */
export function promptsOf(entries: readonly SessionEntry[]): EarlierPrompt[] {
  const prompts = entries.flatMap((entry): EarlierPrompt[] => {
    if (entry.type !== 'user_message' || entry.origin === 'continue' || entry.origin === 'hook') return [];
    const { text, ts } = entry;
    return text.trim() === '' || text.length > MAX_CHARACTERS ? [] : [{ text, ts }];
  });
  return prompts.slice(-MAX_PROMPTS);
}

/** The prompts of a session's file. Parses as few lines as possible. */
export async function promptsIn(read: ReadPieces): Promise<EarlierPrompt[]> {
  return promptsOf(await findEntries(read, WANTED, ({ length }) => length > 0));
}

/** The texts, newest first, each once. */
export function newestTexts(prompts: readonly EarlierPrompt[]): readonly string[] {
  const texts = new Set(prompts.toSorted((a, b) => b.ts - a.ts).map(({ text }) => text.trim()));
  return [...texts].slice(0, MAX_LISTED);
}
