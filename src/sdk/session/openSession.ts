import type { Session } from './session';
import type { SessionOptions } from './sessionOptions';

/**
 * Opens the file of a conversation, JSONL with one entry a line, or begins a new one: the file and its folders come into
 * being with the first entry, readable by their owner only. Any part of a file that can be read is used; `problems` has
 * the rest. One process at a time may write a file: see `lock`. Rejects when the file is there and cannot be read at all.
 *
 * ```ts
 * await using session = await openSession('notes.jsonl');
 * await using client = new Client({ ...options, history: session.history });
 * for await (const event of session.run(client, 'Where were we?')) show(event);
 * ```
 */
export async function openSession(file: string, options: SessionOptions = {}): Promise<Session> {
  const { Session: Loaded } = await import('./session');
  return Loaded.open(file, options);
}
