import { AgentError, type AgentErrorInfo } from '../../sdk/errors';
import type { AssistantBlock, ToolUseError } from '../../sdk/messages';
import type { ModelProvider, ModelRequest, ModelResponse } from '../../sdk/model/modelProvider';
import { toolNameResolver } from '../../sdk/model/calls/resolveToolName';
import type { JsonObject } from '../../util/json';
import * as l10n from '../../util/l10n';

/** A part of a model's answer to another extension. Thoughts are left out. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: JsonObject };

/**
 * Streams one response: its text at once, its calls at its end. Throws an `AgentError` when the answer fails or is cut
 * off, and for an unreadable call.
 */
export async function* answerParts(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  for await (const event of provider.stream(request, { signal })) {
    if (event.type === 'text_delta') yield { type: 'text', text: event.text };
    if (event.type === 'error') throw new AgentError(withoutPatience(event.error));
    if (event.type !== 'response_end') continue;
    const problem = problemOf(event);
    if (problem) throw new AgentError(problem);
    const resolve = toolNameResolver(request.tools);
    for (const block of event.content) {
      if (block.type !== 'tool_use') continue;
      yield { type: 'call', id: block.id, name: resolve(block.name) ?? block.name, input: block.input };
    }
    return;
  }
  throw new AgentError({ code: 'stream_broken', message: l10n.t('The answer of {0} ended early.', request.model) });
}

/** `server_gone` asks a run to wait for the server. Nothing waits here. */
function withoutPatience(error: AgentErrorInfo): AgentErrorInfo {
  return error.code === 'server_gone' ? { ...error, code: 'stream_broken' } : error;
}

function problemOf({ content, stopReason, model }: ModelResponse): AgentErrorInfo | undefined {
  if (stopReason === 'incomplete') {
    return {
      code: 'stream_broken',
      message: l10n.t('The answer of {0} was cut off before it was complete. Try again.', model),
    };
  }
  const unreadable = content.find(isUnreadable);
  return (
    unreadable && {
      code: 'invalid_output',
      message: l10n.t('A tool call of {0} cannot be read: {1}', model, unreadable.error),
    }
  );
}

function isUnreadable(block: AssistantBlock | ToolUseError): block is ToolUseError {
  return block.type === 'tool_use_error';
}
