import type { AgentErrorInfo } from '../../errors';
import type { AgentEvent } from '../../events';
import type { ToolResultBlock, ToolUseBlock } from '../../messages';
import { boundedText } from './boundedResult';
import { idOf, type Call } from './call';
import type { Conversation } from '../conversation';
import { noteRepeat, type Repeat } from './repeatedCalls';
import type { RunCallsParts } from './runCallsParts';
import type { RefusedCall } from './toolRunner';
import * as l10n from '../../../util/l10n';

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

/**
 * Adds the result of a call that could not run or was not allowed, with a note when it repeats itself. Returns why the run
 * should end.
 */
export function* settleUnrun(
  { conversation, repeatedCalls }: RunCallsParts,
  call: ToolUseBlock,
  refused: RefusedCall,
): Generator<AgentEvent, AgentErrorInfo | undefined> {
  const { outcome, error, input } = refused;
  const repeat = outcome === 'interrupted' ? undefined : repeatedCalls.add({ name: call.name, input }, error);
  yield* settleRefused(conversation, call, { ...refused, error: repeat ? noteRepeat(error, repeat) : error });
  return yield* warnOfRepeat(repeat, call.name);
}

/** Warns of a repeated call. Returns why the run should end. */
export function* warnOfRepeat(
  repeat: Repeat | undefined,
  name: string,
): Generator<AgentEvent, AgentErrorInfo | undefined> {
  if (!repeat) return undefined;
  const message =
    repeat.stop?.message ?? l10n.t('The model called {0} {1} times with the same result.', name, repeat.count);
  yield { type: 'warning', code: 'repeated_call', message };
  return repeat.stop;
}

/** For calls after one that ends the run. */
export const notReached: RefusedCall = {
  ok: false,
  input: {},
  outcome: 'interrupted',
  error: 'The run was stopped before this call, which was not executed. Nothing was changed.',
};

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
