import type { Compaction } from '../events';
import type { AssistantMessage, Message, ToolMessage } from '../messages';
import { contentToText } from '../tool';
import { cutMiddle } from './cutMiddle';

/** The history after a compaction. Equal input gives equal bytes, so a reloaded session keeps the server's cache. */
export function applyCompaction(messages: readonly Message[], compaction: Compaction): Message[] {
  const { summary, keptMessages, maxResultCharacters } = compaction;
  const kept = messages.slice(messages.length - keptMessages);
  const clipped = clipResults(kept, maxResultCharacters);
  if (summary === '') return [...clipped];
  const bridge = kept[0]?.role === 'user' ? [answerToSummary] : [];
  return [{ role: 'user', content: summary }, ...bridge, ...clipped];
}

/** Cuts the middle out of long tool results and notes the cut in its place. */
export function clipResults(messages: readonly Message[], maxCharacters: number | undefined): readonly Message[] {
  if (maxCharacters === undefined) return messages;
  return messages.map((message) => (message.role === 'tool' ? clipResult(message, maxCharacters) : message));
}

function clipResult(message: ToolMessage, maxCharacters: number): ToolMessage {
  const text = contentToText(message.content.content);
  if (text.length <= maxCharacters) return message;
  const content = cutMiddle(
    text,
    maxCharacters,
    (left) => `[… ${left} characters were left out here to fit the context window. Ask again for the part you need.]`,
  );
  return { role: 'tool', content: { ...message.content, content } };
}

/** Stands between the summary and the next user message, because templates need alternating roles. */
const answerToSummary: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'I go on from this summary.' }],
  stopReason: 'stop',
};
