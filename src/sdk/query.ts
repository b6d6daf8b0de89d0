import { Client } from './client';
import type { AssistantMessage } from './messages';
import type { AgentOptions } from './configuration/options';

/**
 * Sends one prompt and keeps no history. A second response follows only after one of thinking alone, or an answer that
 * does not match `outputSchema`. Each message holds one piece: text, thinking, a tool call, or a call that could not
 * be used. Tools are offered but never executed; PreToolUse hooks see a call before it is yielded. Throws an
 * `AgentError` when the request fails. Leaving early closes the connection.
 */
export async function* query(prompt: string, options: AgentOptions): AsyncGenerator<AssistantMessage, void, undefined> {
  await using client = new Client({ ...options, autoExecuteTools: false });
  await client.query(prompt);
  for await (const block of client.receiveMessages()) {
    if (block.type !== 'tool_result') yield { role: 'assistant', content: [block] };
  }
}
