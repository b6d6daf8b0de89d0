import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import type { AssistantBlock, ToolUseBlock, ToolUseError } from '../messages';
import type { ModelEvent, ModelProvider, ModelRequest, ModelResponse } from '../model/modelProvider';
import { sendEvents } from '../model/sentEvents';
import { CUT_OFF_REASONS } from '../model/cutOff';
import { isUnreadableOutput } from '../model/errors/unreadableOutput';
import { failedCall } from './toolCalls/call';
import type { ToolRegistry } from './toolCalls/toolRegistry';
import * as l10n from '../../util/l10n';

/** A finished block of the response and its number. */
export interface FinishedBlock {
  readonly block: number;
  readonly content: AssistantBlock | ToolUseError;
}

/** A response that the model or a limit ended. Its tool calls count; those that a limit cut are errors. */
export interface CompleteResponse {
  readonly kind: 'complete';
  readonly response: ModelResponse;
  /** Tool blocks whose `block_end` is still to come. */
  readonly heldBlocks: readonly FinishedBlock[];
}

/** A response that ended too early. Its tool calls must not execute. */
export interface CutResponse {
  readonly kind: 'cut';
  /** Its text and thinking. */
  readonly kept: readonly AssistantBlock[];
  readonly stopReason: 'incomplete' | 'interrupted';
  readonly error: AgentErrorInfo;
  /** Tool blocks whose `block_end` is still to come. */
  readonly heldBlocks: readonly FinishedBlock[];
  /** All blocks, where the server could not read the end of its model's output. Calls among them that are no errors are complete. */
  readonly readable?: readonly (AssistantBlock | ToolUseError)[] | undefined;
  /** Absent when it failed before its first byte. */
  readonly response?: Pick<ModelResponse, 'responseId' | 'model' | 'usage'> | undefined;
}

export type ModelStepEnd = CompleteResponse | CutResponse;

export interface ModelStepParts {
  readonly provider: ModelProvider;
  readonly registry: ToolRegistry;
  /** Gets the events of the response as they come. */
  readonly emit: (event: AgentEvent) => void;
}

/**
 * Streams one response. Holds tool calls back until the end of the response shows whether they count. Does not yield
 * its events: there are thousands, and each would pass through every generator above.
 */
export async function modelStep(
  { provider, registry, emit }: ModelStepParts,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelStepEnd> {
  const heldBlocks: FinishedBlock[] = [];
  let hasMalformedChunk = false;
  let end: ModelStepEnd | undefined;
  const takeEvent = (event: ModelEvent): ModelStepEnd | undefined => {
    switch (event.type) {
      case 'tool_use_start':
        emit({ ...event, name: resolveName(registry, event.name) });
        break;
      case 'block_end': {
        const content = resolveBlock(registry, event.content);
        if (content.type === 'text' || content.type === 'thinking') emit({ ...event, content });
        else heldBlocks.push({ block: event.block, content });
        break;
      }
      case 'malformed_chunk':
        // Warns once: such a server does it in every chunk.
        if (!hasMalformedChunk) {
          emit({
            type: 'warning',
            code: 'malformed_chunk',
            message: `The server sent a malformed chunk: ${event.text}`,
          });
        }
        hasMalformedChunk = true;
        break;
      case 'response_end': {
        const { type: _type, ...ended } = event;
        return judge({ ...ended, content: event.content.map((block) => resolveBlock(registry, block)) }, heldBlocks);
      }
      case 'error': {
        const stopReason = signal.aborted || event.error.code === 'interrupted' ? 'interrupted' : 'incomplete';
        const { error, partial, response } = event;
        const readable = isUnreadableOutput(error) ? partial.map((block) => resolveBlock(registry, block)) : undefined;
        return { kind: 'cut', kept: textOf(partial), stopReason, error, heldBlocks, readable, response };
      }
      default:
        emit(event);
    }
    return undefined;
  };
  await sendEvents(
    provider,
    request,
    { signal },
    {
      take(events) {
        for (const event of events) if ((end ??= takeEvent(event))) return;
      },
      get hasLeft() {
        return end !== undefined;
      },
    },
  );
  if (end) return end;
  const error: AgentErrorInfo = {
    code: 'stream_broken',
    message: l10n.t('The answer of {0} ended early.', request.model),
  };
  return { kind: 'cut', kept: [], stopReason: signal.aborted ? 'interrupted' : 'incomplete', error, heldBlocks };
}

function judge(response: ModelResponse, heldBlocks: readonly FinishedBlock[]): ModelStepEnd {
  const { stopReason, model, content } = response;
  if (stopReason === 'length') {
    return {
      kind: 'complete',
      response: { ...response, content: content.map(withoutCut) },
      heldBlocks: heldBlocks.map((held) => ({ ...held, content: withoutCut(held.content) })),
    };
  }
  if (stopReason !== 'incomplete' && stopReason !== 'interrupted') return { kind: 'complete', response, heldBlocks };
  const message = l10n.t(
    'The answer of {0} was cut off: the stream ended without a finish reason. Continue, or retry.',
    model,
  );
  const kept = textOf(content);
  return { kind: 'cut', kept, stopReason, error: { code: 'stream_broken', message }, heldBlocks, response };
}

/** A call of an answer that reached its limit may lack its end, so it must not run. */
function withoutCut(block: AssistantBlock | ToolUseError): AssistantBlock | ToolUseError {
  return block.type === 'tool_use' ? failedCall(block, CUT_OFF_REASONS.length) : block;
}

function textOf(content: readonly (AssistantBlock | ToolUseError)[]): readonly AssistantBlock[] {
  return content.filter(
    (block) => (block.type === 'text' || block.type === 'thinking') && block.text !== '',
  ) as AssistantBlock[];
}

function resolveBlock(registry: ToolRegistry, block: AssistantBlock | ToolUseError): AssistantBlock | ToolUseError {
  if (block.type === 'tool_use') return { ...block, name: resolveName(registry, block.name) } satisfies ToolUseBlock;
  if (block.type === 'tool_use_error' && block.toolName !== undefined) {
    return { ...block, toolName: resolveName(registry, block.toolName) };
  }
  return block;
}

/** The tool's real name, which is clear to people, hooks and later the model itself. */
function resolveName(registry: ToolRegistry, name: string): string {
  return registry.find(name)?.name ?? name;
}
