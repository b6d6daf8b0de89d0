import type { AgentEvent } from '../../events';
import type { ToolResultBlock } from '../../messages';
import { boundedText } from './boundedResult';
import { idOf, type Call } from './call';
import type { Conversation } from '../conversation';
import type { RefusedCall } from './toolRunner';

/** Adds the result of a call that is not executed. */
export function* settleRefused(conversation: Conversation, call: Call, refused: RefusedCall): Generator<AgentEvent> {
  const { input, outcome, error } = refused;
  const toolUseId = idOf(call);
  const toolName = call.type === 'tool_use' ? call.name : call.toolName;
  yield { type: 'tool_execution_start', toolUseId, toolName: toolName ?? '', input };
  const result = errorResult(toolUseId, toolName, boundedText(error));
  conversation.addResult(result);
  yield { type: 'tool_execution_end', toolUseId, outcome, result };
}

/** Answers every open call with `error`, because no other result will come. */
export function settleOpenCalls(conversation: Conversation, error: string): readonly AgentEvent[] {
  return conversation.openCalls.map(({ id, name }): AgentEvent => {
    const result = errorResult(id, name, error);
    conversation.addResult(result);
    return { type: 'tool_execution_end', toolUseId: id, outcome: 'interrupted', result };
  });
}

function errorResult(toolUseId: string, toolName: string | undefined, content: string): ToolResultBlock {
  return { type: 'tool_result', toolUseId, ...(toolName === undefined ? {} : { toolName }), content, isError: true };
}
