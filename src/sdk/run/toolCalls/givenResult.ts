import { messageOf } from '../../../util/errors';
import type { JsonObject } from '../../../util/json';
import type { ToolResultOptions } from '../../clientOptions';
import { AgentError } from '../../errors';
import { toContent } from '../../tool';
import { checkImage } from '../../images/imagePart';
import type { ToolResultBlock, ToolResultContent } from '../../messages';
import type { AgentLoopParts } from '../agentLoop';
import type { Conversation } from '../conversation';
import { runPostToolUse } from '../hooks/postToolUse';

/** A result that the caller gives in manual mode. */
interface GivenResult extends ToolResultOptions {
  /** The id of its call. */
  readonly id: string;
  readonly content: ToolResultContent;
}

/**
 * Adds a result to the history, calls `onAdded`, and tells the hooks. Throws `invalid_state` for an id that is unknown or already
 * answered, and when a hook fails; the result was added then.
 */
export async function addGivenResult(
  { conversation, tools }: Pick<AgentLoopParts, 'conversation' | 'tools'>,
  { id, content: given, name, isError = false, images: givenImages = [] }: GivenResult,
  onAdded: () => void,
): Promise<void> {
  const images = givenImages.map(checkImage);
  const content = contentOf(given);
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

/** The caller's code may not have been checked by types. */
function contentOf(given: unknown): ToolResultContent {
  try {
    return toContent(given);
  } catch (cause) {
    const message = `addToolResult: the content is neither text nor JSON: ${messageOf(cause)}`;
    throw new AgentError({ code: 'invalid_options', message }, { cause });
  }
}

function inputOf(id: string, { messages }: Conversation): JsonObject {
  const assistant = messages.findLast((message) => message.role === 'assistant');
  const call = assistant?.content.find((block) => block.type === 'tool_use' && block.id === id);
  return call?.type === 'tool_use' ? call.input : {};
}
