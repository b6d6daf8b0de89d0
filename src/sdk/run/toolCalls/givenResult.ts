import type { JsonObject } from '../../../util/json';
import { AgentError } from '../../errors';
import { runPostToolUse } from '../../hooks';
import { checkImage } from '../../images/imagePart';
import type { ImagePart, ToolResultBlock, ToolResultContent } from '../../messages';
import type { AgentLoopParts } from '../agentLoop';
import type { Conversation } from '../conversation';

/** A result that the caller gives in manual mode. */
interface GivenResult {
  /** The id of its call. */
  readonly id: string;
  readonly content: ToolResultContent;
  /** Default: the name in the call. */
  readonly name?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly images?: readonly ImagePart[] | undefined;
}

/**
 * Adds a result to the history, calls `onAdded`, and tells the hooks. Throws `invalid_state` for an id that is unknown or already
 * answered, and when a hook fails; the result was added then.
 */
export async function addGivenResult(
  { conversation, tools }: Pick<AgentLoopParts, 'conversation' | 'tools'>,
  { id, content, name, isError = false, images: given = [] }: GivenResult,
  onAdded: () => void,
): Promise<void> {
  const images = given.map(checkImage);
  const toolName = name ?? conversation.openCalls.find((open) => open.id === id)?.name;
  const named = toolName === undefined ? {} : { toolName };
  const seen = images.length > 0 && { images };
  const result: ToolResultBlock = { type: 'tool_result', toolUseId: id, ...named, content, ...seen, isError };
  const input = inputOf(id, conversation);
  conversation.addResult(result);
  onAdded();
  const failures = await runPostToolUse(
    tools.postToolUse,
    {
      type: 'PostToolUse',
      toolName: toolName ?? '',
      toolUseId: id,
      input,
      outcome: isError ? 'failed' : 'succeeded',
      result,
    },
    new AbortController().signal,
  );
  if (failures.length === 0) return;
  throw new AgentError({ code: 'invalid_state', message: `The result was added, but: ${failures.join('; ')}` });
}

function inputOf(id: string, { messages }: Conversation): JsonObject {
  const assistant = messages.findLast((message) => message.role === 'assistant');
  const call = assistant?.content.find((block) => block.type === 'tool_use' && block.id === id);
  return call?.type === 'tool_use' ? call.input : {};
}
