import type { Conversation } from '../conversation';
import type { AgentEvent, UserMessageOrigin } from '../../events';
import { imagesOfContent, textOfContent } from '../../images/imagePart';
import type { AssistantMessage, UserContent } from '../../messages';

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
  content: UserContent,
  origin: UserMessageOrigin,
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
  conversation.addUser(content);
  const hasImages = imagesOfContent(content).length > 0;
  yield { type: 'user_message', text: textOfContent(content), origin, ...(hasImages && { content }) };
}
