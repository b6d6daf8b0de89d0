import type { Compaction } from '../events';
import { imagesOfContent } from '../images/imagePart';
import type { AssistantMessage, Message, ToolMessage, UserPart } from '../messages';
import { contentToText } from '../tool';
import { cutMiddle } from './cutMiddle';

/** The history after a compaction. Equal input gives equal bytes, so a reloaded session keeps the server's cache. */
export function applyCompaction(messages: readonly Message[], compaction: Compaction): Message[] {
  const { summary, keptMessages, maxResultCharacters, dropsImages } = compaction;
  const kept = dropImages(messages, dropsImages).slice(messages.length - keptMessages);
  const clipped = clipResults(kept, maxResultCharacters);
  if (summary === '') return [...clipped];
  const bridge = kept[0]?.role === 'user' ? [answerToSummary] : [];
  return [{ role: 'user', content: summary }, ...bridge, ...clipped];
}

const DROPPED = '[An image was here. It was left out to fit the context window.]';

/** Replaces images by notes: `earlier` those before the newest user message. */
export function dropImages(messages: readonly Message[], which: Compaction['dropsImages']): readonly Message[] {
  if (which === undefined) return messages;
  const newest = which === 'all' ? messages.length : messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => (index < newest ? withoutImages(message) : message));
}

export function hasImages(message: Message): boolean {
  if (message.role === 'user') return imagesOfContent(message.content).length > 0;
  return message.role === 'tool' && (message.content.images?.length ?? 0) > 0;
}

function withoutImages(message: Message): Message {
  if (!hasImages(message)) return message;
  if (message.role === 'tool') {
    const { images: _images, content, ...rest } = message.content;
    return { role: 'tool', content: { ...rest, content: `${contentToText(content)}\n${DROPPED}` } };
  }
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const texts = message.content.map((part: UserPart) => (part.type === 'text' ? part.text : DROPPED));
  return { role: 'user', content: texts.join('\n\n') };
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
