import { AgentError } from '../errors';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';
import type { ContentBlock } from '../messages';

/**
 * Yields the blocks of a run. Text and thinking come in pieces, each once. A failed call is a `ToolUseError`. In
 * automatic mode every result in the history is a `ToolResultBlock`. Throws the `AgentError` that ended the run.
 */
export async function* contentBlocks(
  events: AsyncGenerator<AgentEvent, AgentExecutionResult>,
  options: { readonly withResults: boolean },
): AsyncGenerator<ContentBlock, void, undefined> {
  let streamed = new Set<number>();
  const failed = new Set<string>();
  const started = new Map<string, { readonly toolName: string; readonly rawData: string }>();
  let end: AgentError | undefined;
  for await (const event of events) {
    switch (event.type) {
      case 'step_start':
        streamed = new Set();
        failed.clear();
        break;
      case 'text_delta':
        streamed.add(event.block);
        yield { type: 'text', text: event.text };
        break;
      case 'thinking_delta':
        streamed.add(event.block);
        yield { type: 'thinking', text: event.text };
        break;
      case 'block_end': {
        const { content } = event;
        if (content.type === 'tool_use_error' && content.toolUseId !== undefined) failed.add(content.toolUseId);
        const isNew = content.type === 'tool_use' || content.type === 'tool_use_error' || !streamed.has(event.block);
        if (isNew) yield content;
        break;
      }
      case 'tool_execution_start':
        started.set(event.toolUseId, { toolName: event.toolName, rawData: JSON.stringify(event.input) });
        break;
      case 'tool_execution_end': {
        if (!options.withResults) break;
        const { toolUseId, result, outcome } = event;
        if (outcome !== 'succeeded' && !failed.has(toolUseId)) {
          const error = typeof result.content === 'string' ? result.content : JSON.stringify(result.content);
          const call = started.get(toolUseId) ?? { toolName: result.toolName };
          yield { type: 'tool_use_error', error, toolUseId, ...call };
        }
        yield result;
        break;
      }
      case 'run_end':
        if (event.error) end = new AgentError(event.error);
        break;
      default:
        break;
    }
  }
  if (end) throw end;
}
