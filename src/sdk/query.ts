import { leaveAtOnce } from '../util/async/leaveAtOnce';
import { runInterrupted } from './abort';
import { Client } from './client';
import type { AgentOptions } from './configuration/agentOptions';
import { AgentError } from './errors';
import type { AssistantMessage, UserContent } from './messages';
import type { Signal } from './platform';

/** The options of `query`. */
export type QueryOptions = AgentOptions & {
  /** Aborting it ends the request. `query` then throws `interrupted`, with the signal's reason as its cause. */
  readonly signal?: Signal | undefined;
};

/**
 * Sends one prompt and keeps no history. A second response follows only after one of thinking alone, or an answer that
 * does not match `outputSchema`; with a schema the text comes whole, and only when it matches. Each message holds one piece: text, thinking, a tool call, or a call that could not
 * be used. Tools are offered but never executed; PreToolUse hooks see a call before it is yielded. Throws an
 * `AgentError` when the request fails. After an answer that is not whole comes a message without content, whose `stopReason`
 * is `length` or `content_filter`. Leaving early closes the connection at once, also before the first piece.
 */
export function query(prompt: UserContent, options: QueryOptions): AsyncGenerator<AssistantMessage, void, undefined> {
  const left = new AbortController();
  return leaveAtOnce(messages(prompt, options, left.signal), () => left.abort());
}

async function* messages(
  prompt: UserContent,
  options: QueryOptions,
  left: AbortSignal,
): AsyncGenerator<AssistantMessage, void, undefined> {
  const { signal, ...agentOptions } = options;
  await using client = new Client({ ...agentOptions, autoExecuteTools: false });
  const interrupt = (): void => void client.interrupt();
  left.addEventListener('abort', interrupt);
  signal?.addEventListener('abort', interrupt);
  /** With a schema: text that may still be rejected. */
  let held = '';
  try {
    assertGoesOn(signal);
    await client.query(prompt);
    assertGoesOn(signal);
    for await (const block of client.receiveMessages()) {
      const endsText = block.type === 'tool_use' || block.type === 'tool_use_error' || block.type === 'limit';
      if (held !== '' && endsText) {
        yield textMessage(held);
        held = '';
      }
      switch (block.type) {
        case 'limit':
          if (block.limit !== 'max_tool_iterations') yield { role: 'assistant', content: [], stopReason: block.limit };
          break;
        case 'output_rejected':
          held = '';
          break;
        case 'tool_result':
        case 'waiting':
          break;
        case 'text':
          if (agentOptions.outputSchema) held += block.text;
          else yield { role: 'assistant', content: [block] };
          break;
        default:
          yield { role: 'assistant', content: [block] };
      }
    }
    assertGoesOn(signal);
    if (held !== '') yield textMessage(held);
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
}

function textMessage(text: string): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

function assertGoesOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AgentError(runInterrupted().toInfo(), { cause: signal.reason });
}
