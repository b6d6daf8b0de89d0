import type { Conversation } from '../conversation';
import type { AgentEvent } from '../../events';
import type { AssistantMessage } from '../../messages';

/**
 * Assistant messages between two user messages, or between a tool result and a user message. Chat templates need
 * alternating roles.
 */
export const bridges = {
  stopped: 'I was stopped before I could answer.',
  steering: 'I see there is a new message.',
} as const;

/** Adds a user message to the history, after a short assistant message where the roles would not alternate. */
export function* addUserMessage(
  conversation: Conversation,
  text: string,
  origin: 'prompt' | 'steer',
  bridge: string,
): Generator<AgentEvent> {
  const last = conversation.last;
  if (last && last.role !== 'assistant') {
    const message: AssistantMessage = {
      role: 'assistant',
      content: [{ type: 'text', text: bridge }],
      stopReason: 'stop',
    };
    conversation.addAssistant(message);
    yield { type: 'assistant_message', message, responseId: '', model: '' };
  }
  conversation.addUser(text);
  yield { type: 'user_message', text, origin };
}
