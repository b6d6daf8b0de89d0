import type { AssistantBlock, ToolUseBlock, ToolUseError } from '../../messages';

/** A call of a response, usable or not. It has an id, so it gets a result. */
export type Call = ToolUseBlock | (ToolUseError & { readonly toolUseId: string });

export function isCall(block: AssistantBlock | ToolUseError): block is Call {
  return block.type === 'tool_use' || (block.type === 'tool_use_error' && block.toolUseId !== undefined);
}

export function idOf(call: Call): string {
  return call.type === 'tool_use' ? call.id : call.toolUseId;
}

/** A call as one that failed before it was executed. */
export function failedCall(call: ToolUseBlock, error: string): ToolUseError {
  const rawData = JSON.stringify(call.input);
  return { type: 'tool_use_error', error, rawData, toolUseId: call.id, toolName: call.name };
}
