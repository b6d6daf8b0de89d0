import { AsyncQueue } from '../../../util/asyncQueue';
import type { AgentErrorInfo } from '../../errors';
import type { AgentEvent } from '../../events';
import type { ToolUseBlock } from '../../messages';
import { contentToText } from '../../tool';
import { AskedTogether } from './askedTogether';
import type { Call } from './call';
import { boundedContent } from './boundedResult';
import { settleRefused } from './callResults';
import type { Conversation } from '../conversation';
import type { OpenToolCalls } from './openToolCalls';
import type { RepeatedCalls, Repeat } from './repeatedCalls';
import { executeCall, type ReadyCall, type RefusedCall, type ToolRunnerParts } from './toolRunner';

export interface RunCallsParts {
  readonly conversation: Conversation;
  readonly tools: ToolRunnerParts;
  readonly openToolCalls: OpenToolCalls;
  readonly repeatedCalls: RepeatedCalls;
  /** `false`: manual mode. The caller executes the calls. */
  readonly autoExecuteTools: boolean;
}

/**
 * The calls of one response, in order. In manual mode it only adds the results of calls that cannot or must not execute.
 * Returns why the run should end when a call repeats itself; later calls are then not executed.
 */
export async function* runCalls(
  parts: RunCallsParts,
  calls: readonly Call[],
  refused: ReadonlyMap<Call, RefusedCall>,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentErrorInfo | undefined> {
  const { conversation, tools, openToolCalls, autoExecuteTools } = parts;
  const together = new AskedTogether({ tools, openToolCalls, calls });
  let stop: AgentErrorInfo | undefined;
  for (const call of calls) {
    const refusal = stop ? notReached : refused.get(call);
    if (refusal) yield* settleRefused(conversation, call, refusal);
    else if (call.type === 'tool_use_error') stop = yield* failCall(parts, call);
    else if (autoExecuteTools) stop = yield* runCall(parts, call, together, signal);
    if (stop) together.stop();
  }
  openToolCalls.clear();
  return stop;
}

const notReached: RefusedCall = {
  ok: false,
  input: {},
  outcome: 'interrupted',
  error: 'The run was stopped before this call, which was not executed. Nothing was changed.',
};

type Ending = AsyncGenerator<AgentEvent, AgentErrorInfo | undefined>;

/** The result of a call that could not be read. */
async function* failCall(parts: RunCallsParts, call: Exclude<Call, ToolUseBlock>): Ending {
  const name = call.toolName ?? '';
  const repeat = parts.repeatedCalls.add({ name, input: call.rawData }, call.error);
  const error = withNote(call.error, repeat);
  yield* settleRefused(parts.conversation, call, { ok: false, input: {}, outcome: 'failed', error });
  return yield* warnOf(repeat, name);
}

/** One call from preparation to its result in history. */
async function* runCall(
  parts: RunCallsParts,
  call: ToolUseBlock,
  together: AskedTogether,
  runSignal: AbortSignal,
): Ending {
  const { conversation, openToolCalls, repeatedCalls } = parts;
  const signal = openToolCalls.signalOf(call.id) ?? runSignal;
  const prepared = await together.answerTo(call, runSignal);
  let repeat: Repeat | undefined;
  if (prepared.ok) {
    repeat = yield* execute(parts, call, prepared, signal, runSignal);
  } else {
    const { input, outcome, error } = prepared;
    repeat = outcome === 'interrupted' ? undefined : repeatedCalls.add({ name: call.name, input }, error);
    yield* settleRefused(conversation, call, { ...prepared, error: withNote(error, repeat) });
  }
  openToolCalls.close(call.id);
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
  { conversation, tools, repeatedCalls }: RunCallsParts,
  call: ToolUseBlock,
  ready: ReadyCall,
  signal: AbortSignal,
  runSignal: AbortSignal,
): AsyncGenerator<AgentEvent, Repeat | undefined> {
  const toolUseId = call.id;
  let repeat: Repeat | undefined;
  yield { type: 'tool_execution_start', toolUseId, toolName: ready.tool.name, input: ready.input };
  const progress = new AsyncQueue<AgentEvent>();
  const execution = executeCall(tools, call, ready, {
    signal,
    runSignal,
    progress: (output) => progress.push({ type: 'tool_execution_progress', toolUseId, output }),
    toContent: (output, outcome) => {
      const content = boundedContent(output.content);
      if (outcome === 'interrupted') return content;
      repeat = repeatedCalls.add({ name: ready.tool.name, input: ready.input }, content);
      return repeat ? withNote(contentToText(content), repeat) : content;
    },
  }).finally(() => progress.close());
  yield* progress;
  const { outcome, result, display, hookFailures } = await execution;
  for (const message of hookFailures) yield { type: 'warning', code: 'hook_failed', message };
  conversation.addResult(result);
  yield { type: 'tool_execution_end', toolUseId, outcome, result, ...(display === undefined ? {} : { display }) };
  return repeat;
}
