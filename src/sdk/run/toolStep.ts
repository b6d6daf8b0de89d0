import { AsyncQueue } from '../../util/asyncQueue';
import type { Conversation } from './conversation';
import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import type { RepeatedCalls, Repeat } from './repeatedCalls';
import type { AssistantBlock, ToolResultBlock, ToolUseBlock, ToolUseError } from '../messages';
import type { FinishedBlock } from './modelStep';
import type { OpenToolCalls } from './openToolCalls';
import { contentToText } from '../tool';
import { executeCall, prepareCall, type ReadyCall, type RefusedCall, type ToolRunnerParts } from './toolRunner';

export interface ToolStepParts {
  readonly conversation: Conversation;
  readonly tools: ToolRunnerParts;
  readonly openToolCalls: OpenToolCalls;
}

/** The same, while a run executes tools. */
export interface RunningToolParts extends ToolStepParts {
  readonly repeatedCalls: RepeatedCalls;
}

/** What the hooks say of a call that is to run now. Never rejects. */
export type AskAbout = (call: ToolUseBlock) => Promise<ReadyCall | RefusedCall>;

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

/** One call from preparation to its result in history. Returns why the run should end, when the call goes in circles. */
export async function* runCall(
  parts: RunningToolParts,
  call: Call,
  askAbout: AskAbout,
  runSignal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentErrorInfo | undefined> {
  if (call.type === 'tool_use_error') {
    const key = { name: call.toolName ?? '', input: call.rawData };
    const repeat = parts.repeatedCalls.add(key, call.error);
    const error = withNote(call.error, repeat);
    yield* settleRefused(parts, call, { ok: false, input: {}, outcome: 'failed', error });
    return yield* warnOf(repeat, key.name);
  }
  const signal = parts.openToolCalls.signalOf(call.id) ?? runSignal;
  const prepared = await askAbout(call);
  let repeat: Repeat | undefined;
  if (prepared.ok) {
    repeat = yield* execute(parts, call, prepared, signal, runSignal);
  } else {
    const { input, outcome, error } = prepared;
    repeat = outcome === 'interrupted' ? undefined : parts.repeatedCalls.add({ name: call.name, input }, error);
    yield* settleRefused(parts, call, { ...prepared, error: withNote(error, repeat) });
  }
  parts.openToolCalls.close(call.id);
  return yield* warnOf(repeat, call.name);
}

function* warnOf(repeat: Repeat | undefined, name: string): Generator<AgentEvent, AgentErrorInfo | undefined> {
  if (!repeat) return undefined;
  const message = repeat.stop?.message ?? `The model called ${name} ${repeat.count} times with the same result.`;
  yield { type: 'warning', code: 'repeated_call', message };
  return repeat.stop;
}

function withNote(content: string, repeat: Repeat | undefined): string {
  return repeat ? `${content}\n\n${repeat.note}` : content;
}

async function* execute(
  parts: RunningToolParts,
  call: ToolUseBlock,
  ready: ReadyCall,
  signal: AbortSignal,
  runSignal: AbortSignal,
): AsyncGenerator<AgentEvent, Repeat | undefined> {
  const toolUseId = call.id;
  let repeat: Repeat | undefined;
  yield { type: 'tool_execution_start', toolUseId, toolName: ready.tool.name, input: ready.input };
  const progress = new AsyncQueue<AgentEvent>();
  const execution = executeCall(parts.tools, call, ready, {
    signal,
    runSignal,
    progress: (output) => progress.push({ type: 'tool_execution_progress', toolUseId, output }),
    toContent: ({ content }, outcome) => {
      if (outcome === 'interrupted') return content;
      repeat = parts.repeatedCalls.add({ name: ready.tool.name, input: ready.input }, content);
      return repeat ? withNote(contentToText(content), repeat) : content;
    },
  }).finally(() => progress.close());
  yield* progress;
  const { outcome, result, display, hookFailures } = await execution;
  for (const message of hookFailures) yield { type: 'warning', code: 'hook_failed', message };
  parts.conversation.addResult(result);
  yield { type: 'tool_execution_end', toolUseId, outcome, result, ...(display === undefined ? {} : { display }) };
  return repeat;
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
