import type { AgentErrorInfo } from './errors';
import type { AgentEvent } from './events';
import { addUsage, type FinalResponse, type RunEnd } from './executionResult';
import { RepeatedCalls } from './loops/repeatedCalls';
import type { AssistantMessage, StopReason, Usage } from './messages';
import type { ModelProvider, ModelRequest, ModelResponse } from './model/modelProvider';
import { modelStep, usageOf, type FinishedBlock, type ModelStepEnd } from './modelStep';
import type { RefusedCall } from './toolRunner';
import {
  idOf,
  isCall,
  notExecuted,
  offerCalls,
  runCall,
  settleRefused,
  type Call,
  type RunningToolParts,
  type ToolStepParts,
} from './toolStep';
import { addUserMessage, bridges } from './userMessages';

export interface AgentLoopParts extends ToolStepParts {
  readonly provider: ModelProvider;
  /** All of a request but the messages. */
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly autoExecuteTools: boolean;
  readonly maxToolIterations: number;
  /**
   * Takes what was said to the run while it was going; `undefined` when nothing was. After the final answer that means:
   * the run is over and takes no more.
   */
  readonly takeSteering: (when: { readonly isFinalAnswer: boolean }) => string | undefined;
}

/** Everything a step leaves behind; `calls` is empty after the final answer. */
interface StepEnd {
  readonly stopReason: StopReason;
  readonly finalResponse?: FinalResponse | undefined;
  readonly calls: readonly Call[];
  readonly usage?: Usage | undefined;
  /** Ends the run. */
  readonly end?: Pick<RunEnd, 'outcome' | 'error'> | undefined;
}

/**
 * Model and tools in turn, until the final answer, an error, an interruption or the limit. In manual mode: one response.
 * Whenever it waits for the model, and when it ends, every call in history has its result (in manual mode: or waits for the
 * caller's).
 */
export async function* agentLoop(parts: AgentLoopParts, signal: AbortSignal): AsyncGenerator<AgentEvent, RunEnd> {
  let usage: Usage | undefined;
  let finalResponse: FinalResponse | undefined;
  const run: RunParts = { ...parts, repeatedCalls: new RepeatedCalls() };
  let isNudged = false;
  for (let step = 0; ; step++) {
    if (signal.aborted) return { outcome: 'interrupted', finalResponse, usage };
    yield { type: 'step_start', step };
    const ended = yield* runStep(run, signal);
    yield { type: 'step_end', step, stopReason: ended.stopReason };
    usage = addUsage(usage, ended.usage);
    finalResponse = ended.finalResponse ?? finalResponse;

    if (ended.end) return { ...ended.end, finalResponse, usage };
    if (signal.aborted) return { outcome: 'interrupted', finalResponse, usage };
    if (!parts.autoExecuteTools) return { outcome: 'completed', finalResponse, usage };
    if (ended.calls.length > 0 && step + 1 >= parts.maxToolIterations) {
      yield limitWarning(parts.maxToolIterations);
      return { outcome: 'limit', finalResponse, usage };
    }
    const isSilent = ended.calls.length === 0 && isThoughtOnly(ended.finalResponse);
    const isFinalAnswer = ended.calls.length === 0 && (!isSilent || isNudged);
    const steering = parts.takeSteering({ isFinalAnswer });
    if (steering !== undefined) {
      yield* addUserMessage(parts.conversation, steering, 'steer', bridges.steering);
    } else if (isSilent && isNudged) {
      return { outcome: 'error', error: noAnswer(parts.request.model), finalResponse, usage };
    } else if (isSilent) {
      isNudged = true;
      yield* addUserMessage(parts.conversation, afterThought, 'prompt', bridges.stopped);
    } else if (isFinalAnswer) {
      return { outcome: 'completed', finalResponse, usage };
    }
  }
}

/** What a model is told that thought and said nothing. */
const afterThought = 'You have thought, but not answered. Answer now, or call a tool.';

function isThoughtOnly(response: FinalResponse | undefined): boolean {
  const content = response?.content ?? [];
  const isBlank = content.every((block) => block.type === 'thinking' || (block.type === 'text' && !block.text.trim()));
  return isBlank && content.some((block) => block.type === 'thinking');
}

function noAnswer(model: string): AgentErrorInfo {
  return {
    code: 'no_answer',
    message: `${model} thought and gave no answer, twice. Try again, or say it differently.`,
  };
}

/** The parts of one run. */
type RunParts = AgentLoopParts & RunningToolParts;

async function* runStep(parts: RunParts, signal: AbortSignal): AsyncGenerator<AgentEvent, StepEnd> {
  const request: ModelRequest = { ...parts.request, messages: parts.conversation.messages };
  const ended = yield* modelStep(parts.provider, request, parts.tools.registry, signal);
  return ended.kind === 'cut'
    ? yield* endCut(parts, ended)
    : yield* endComplete(parts, ended.response, ended.heldCalls, signal);
}

/** Keeps the text that came, and says of the calls that they do not count. */
async function* endCut(
  parts: AgentLoopParts,
  cut: ModelStepEnd & { readonly kind: 'cut' },
): AsyncGenerator<AgentEvent, StepEnd> {
  const { stopReason, error, kept } = cut;
  for (const { block, content } of cut.heldCalls) yield { type: 'block_end', block, content: notExecuted(content) };
  const usage = usageOf(cut);
  let finalResponse: FinalResponse | undefined;
  if (kept.length > 0) {
    const message: AssistantMessage = { role: 'assistant', content: kept, stopReason };
    parts.conversation.addAssistant(message);
    finalResponse = { id: cut.response?.responseId ?? '', model: cut.response?.model ?? '', stopReason, content: kept };
    yield assistantEvent(message, finalResponse, usage);
  }
  if (usage) yield { type: 'usage', usage };
  if (stopReason === 'interrupted')
    return { stopReason, finalResponse, usage, calls: [], end: { outcome: 'interrupted' } };
  if (kept.length > 0) yield { type: 'warning', code: 'incomplete_response', message: error.message };
  return { stopReason, finalResponse, usage, calls: [], end: { outcome: 'error', error } };
}

async function* endComplete(
  parts: RunParts,
  response: ModelResponse,
  heldCalls: readonly FinishedBlock[],
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, StepEnd> {
  const { content, stopReason, usage } = response;
  const message: AssistantMessage = { role: 'assistant', content, stopReason };
  const finalResponse: FinalResponse = { id: response.responseId, model: response.model, stopReason, content };
  const calls = content.filter(isCall);
  parts.openToolCalls.open(calls.map(idOf), signal);
  parts.conversation.addAssistant(message);
  const refused = new Map<Call, RefusedCall>();
  if (parts.autoExecuteTools) {
    for (const held of heldCalls) yield { type: 'block_end', ...held };
  } else {
    yield* offerCalls(parts, heldCalls, calls, refused, signal);
  }
  yield assistantEvent(message, finalResponse, usage);
  if (usage) yield { type: 'usage', usage };
  if (stopReason === 'length') {
    const text = `The answer of ${response.model} reached its length limit. Raise maxTokens, or continue.`;
    yield { type: 'warning', code: 'incomplete_response', message: text };
  }
  let stop: AgentErrorInfo | undefined;
  for (const call of calls) {
    const refusal = refused.get(call);
    if (stop) yield* settleRefused(parts, call, notReached);
    else if (parts.autoExecuteTools || call.type === 'tool_use_error') stop = yield* runCall(parts, call, signal);
    else if (refusal) yield* settleRefused(parts, call, refusal);
  }
  parts.openToolCalls.clear();
  return { stopReason, finalResponse, usage, calls, ...(stop && { end: { outcome: 'error', error: stop } }) };
}

const notReached: RefusedCall = {
  ok: false,
  input: {},
  outcome: 'interrupted',
  error: 'The run was stopped before this call, which was not executed. Nothing was changed.',
};

function assistantEvent(message: AssistantMessage, response: FinalResponse, usage: Usage | undefined): AgentEvent {
  const { id: responseId, model } = response;
  return { type: 'assistant_message', message, responseId, model, ...(usage ? { usage } : {}) };
}

function limitWarning(maxToolIterations: number): AgentEvent {
  const message = `The run stopped after ${maxToolIterations} tool iterations (maxToolIterations). Continue it, or raise the limit.`;
  return { type: 'warning', code: 'max_tool_iterations', message };
}
