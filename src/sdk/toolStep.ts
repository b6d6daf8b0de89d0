import { AsyncQueue } from '../util/asyncQueue';
import type { Conversation } from './conversation';
import type { AgentEvent } from './events';
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, ToolUseError } from './messages';
import type { FinishedBlock } from './modelStep';
import type { OpenToolCalls } from './openToolCalls';
import { executeCall, prepareCall, type ReadyCall, type RefusedCall, type ToolRunnerParts } from './toolRunner';

export interface ToolStepParts {
  readonly conversation: Conversation;
  readonly tools: ToolRunnerParts;
  readonly openToolCalls: OpenToolCalls;
}

/** A call of a response, usable or not: it has an id, so it gets a result. */
export type Call = ToolUseBlock | (ToolUseError & { readonly toolUseId: string });

/** Manual mode: the hooks see a call before the caller does, who gets it as they left it, or learns why not. */
export async function* offerCalls(
  parts: ToolStepParts,
  heldCalls: readonly FinishedBlock[],
  calls: readonly Call[],
  refused: Map<Call, RefusedCall>,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const remaining = [...calls];
  for (const { block, content } of heldCalls) {
    const call = isCall(content) ? remaining.shift() : undefined;
    if (call?.type !== 'tool_use') {
      yield { type: 'block_end', block, content };
      continue;
    }
    const prepared = await prepareCall(parts.tools, call, parts.openToolCalls.signalOf(call.id) ?? signal);
    if (!prepared.ok) refused.set(call, prepared);
    yield {
      type: 'block_end',
      block,
      content: prepared.ok ? { ...call, input: prepared.input } : errorOf(call, prepared.error),
    };
  }
}

/** One call from preparation to its result in history. */
export async function* runCall(parts: ToolStepParts, call: Call, runSignal: AbortSignal): AsyncGenerator<AgentEvent> {
  if (call.type === 'tool_use_error') {
    yield* settleRefused(parts, call, { ok: false, input: {}, outcome: 'failed', error: call.error });
    return;
  }
  const signal = parts.openToolCalls.signalOf(call.id) ?? runSignal;
  const prepared = await prepareCall(parts.tools, call, signal);
  if (!prepared.ok) yield* settleRefused(parts, call, prepared);
  else yield* execute(parts, call, prepared, signal, runSignal);
  parts.openToolCalls.close(call.id);
}

async function* execute(
  parts: ToolStepParts,
  call: ToolUseBlock,
  ready: ReadyCall,
  signal: AbortSignal,
  runSignal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const toolUseId = call.id;
  yield { type: 'tool_execution_start', toolUseId, toolName: ready.tool.name, input: ready.input };
  const progress = new AsyncQueue<AgentEvent>();
  const execution = executeCall(parts.tools, call, ready, {
    signal,
    runSignal,
    progress: (output) => progress.push({ type: 'tool_execution_progress', toolUseId, output }),
  }).finally(() => progress.close());
  yield* progress;
  const { outcome, result, display, hookFailures } = await execution;
  for (const message of hookFailures) yield { type: 'warning', code: 'hook_failed', message };
  parts.conversation.addResult(result);
  yield { type: 'tool_execution_end', toolUseId, outcome, result, ...(display === undefined ? {} : { display }) };
}

export async function* settleRefused(
  parts: ToolStepParts,
  call: Call,
  refused: RefusedCall,
): AsyncGenerator<AgentEvent> {
  const toolUseId = idOf(call);
  const toolName = call.type === 'tool_use' ? call.name : call.toolName;
  yield { type: 'tool_execution_start', toolUseId, toolName: toolName ?? '', input: refused.input };
  const result = errorResult(toolUseId, toolName, refused.error);
  parts.conversation.addResult(result);
  yield { type: 'tool_execution_end', toolUseId, outcome: refused.outcome, result };
}

/** Answers the calls that nobody will answer any more, with `error`. */
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

/** What is said of a call of an answer that was cut off. */
export function notExecuted(content: AssistantBlock | ToolUseError): AssistantBlock | ToolUseError {
  if (content.type !== 'tool_use') return content;
  return errorOf(content, 'The answer was cut off, so this call was not executed.');
}

function errorOf(call: ToolUseBlock, error: string): ToolUseError {
  return {
    type: 'tool_use_error',
    error,
    rawData: JSON.stringify(call.input),
    toolUseId: call.id,
    toolName: call.name,
  };
}

export function isCall(block: AssistantBlock | ToolUseError): block is Call {
  return block.type === 'tool_use' || (block.type === 'tool_use_error' && block.toolUseId !== undefined);
}

export function idOf(call: Call): string {
  return call.type === 'tool_use' ? call.id : call.toolUseId;
}
