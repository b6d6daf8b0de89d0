import { AgentError } from '../errors';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';
import type { ContentBlock, LimitBlock, StopReason, WaitingBlock } from '../messages';
import * as l10n from '../../util/l10n';

/**
 * Yields the blocks of a run. Text and thinking come in pieces, each once. A failed call is a `ToolUseError`. In
 * automatic mode every result in the history is a `ToolResultBlock`. After a limit a `LimitBlock` comes last. Throws the `AgentError` that ended the run.
 */
export async function* contentBlocks(
  events: AsyncGenerator<AgentEvent, AgentExecutionResult>,
  options: { readonly withResults: boolean },
): AsyncGenerator<ContentBlock, void, undefined> {
  let streamed = new Set<number>();
  const failed = new Set<string>();
  const started = new Map<string, { readonly toolName: string; readonly rawData: string }>();
  let end: AgentError | undefined;
  let limit: LimitBlock | undefined;
  let waiting: WaitingBlock | undefined;
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
      case 'output_rejected': {
        const { type, error, willCorrect } = event;
        yield { type, error, willCorrect };
        break;
      }
      case 'assistant_message':
        limit = limitOf(event.message.stopReason);
        break;
      case 'warning':
        if (event.code === 'max_tool_iterations') limit = { type: 'limit', limit: event.code, message: event.message };
        break;
      case 'run_end':
        if (event.error) end = new AgentError(event.error);
        if (event.waiting) waiting = { type: 'waiting', calls: event.waiting };
        if (event.outcome !== 'completed' && event.outcome !== 'limit') limit = undefined;
        break;
      default:
        break;
    }
  }
  if (end) throw end;
  if (limit) yield limit;
  if (waiting) yield waiting;
}

function limitOf(stopReason: StopReason | undefined): LimitBlock | undefined {
  switch (stopReason) {
    case 'length':
      return {
        type: 'limit',
        limit: stopReason,
        message: l10n.t('The answer reached its length limit. Raise maxTokens, or continue.'),
      };
    case 'content_filter':
      return {
        type: 'limit',
        limit: stopReason,
        message: l10n.t("The server's content filter ended the answer. Rephrase the prompt."),
      };
    default:
      return undefined;
  }
}
