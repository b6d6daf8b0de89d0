import { ENTRY_VERSION, type EntryBody } from '../../sdk/session/entries';
import { entryLine } from '../../sdk/session/parseEntry';
import { imagesOfContent, textOfContent } from '../../sdk/images/imagePart';
import { describeImage, orderOf } from '../../sdk/session/images/imageStore';
import type { Message } from '../../sdk/messages';
import { assertNever } from '../../util/assertNever';

export interface SessionOfMessagesOptions {
  /** Who began the session, for its first entry. */
  readonly origin: 'endpoint';
  readonly workspace: string | null;
  readonly now: () => number;
  readonly newId: () => string;
}

/** The text of a new session's file that continues these messages. Each call has its result. The images are kept elsewhere. */
export function sessionOfMessages(messages: readonly Message[], options: SessionOfMessagesOptions): string {
  const { origin, workspace, now, newId } = options;
  const bodies: readonly EntryBody[] = [
    { type: 'system_message', systemPrompt: '', workspace, model: '', baseUrl: '', origin },
    ...messages.flatMap(bodiesOf),
    ...(messages.length === 0 ? [] : [{ type: 'status_update', status: 'FINISHED' } as const]),
  ];
  let parentId: string | null = null;
  let text = '';
  for (const [seq, body] of bodies.entries()) {
    const id = newId();
    text += `${entryLine({ v: ENTRY_VERSION, id, parentId, seq, ts: now(), ...body })}\n`;
    parentId = id;
  }
  return text;
}

function bodiesOf(message: Message): readonly EntryBody[] {
  switch (message.role) {
    case 'user': {
      const content = textOfContent(message.content);
      const images = imagesOfContent(message.content).map(describeImage);
      const order = orderOf(message.content);
      const seen = images.length > 0 && { images, ...(order && { order }) };
      return [{ type: 'user_message', text: content, contextLabels: [], content, origin: 'prompt', ...seen }];
    }
    case 'assistant': {
      const { content, stopReason } = message;
      const calls = content.filter((block) => block.type === 'tool_use');
      return [
        {
          type: 'assistant_message',
          content: [...content],
          ...(stopReason && { stopReason }),
          responseId: '',
          model: '',
        },
        ...calls.map(({ id, name, input }) => ({ type: 'tool_call', toolUseId: id, toolName: name, input }) as const),
      ];
    }
    case 'tool': {
      const { toolUseId, toolName, content, images: given = [], isError } = message.content;
      const seen = given.length > 0 && { images: given.map(describeImage) };
      const named = toolName !== undefined && { toolName };
      const outcome = isError ? 'failed' : 'succeeded';
      return [{ type: 'tool_result', toolUseId, ...named, content, ...seen, isError, outcome }];
    }
    default:
      return assertNever(message);
  }
}
