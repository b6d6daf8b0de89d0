import type { ContextBudget } from '../context/contextBudget';
import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import { addUsage, type FinalResponse, type RunEnd } from '../executionResult';
import type { AssistantMessage, StopReason, Usage } from '../messages';
import type { ModelProvider, ModelRequest, ModelResponse } from '../model/modelProvider';
import { modelStep, usageOf, type FinishedBlock, type ModelStepEnd } from './modelStep';
import { explainUnreadable, isUnreadableOutput } from '../model/errors/unreadableOutput';
import type { RefusedCall } from './toolRunner';
import { AskedTogether } from './askedTogether';
import {
  idOf,
  isCall,
  notExecuted,
  offerCalls,
  runCall,
  settleRefused,
  type AskAbout,
  type Call,
  type RunningToolParts,
} from './toolStep';

export interface StepParts extends RunningToolParts {
  readonly provider: ModelProvider;
  readonly budget: ContextBudget;
  /** All of a request but the messages. */
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly autoExecuteTools: boolean;
}

/** Everything a step leaves behind; `calls` is empty after the final answer. */
export interface StepEnd {
  readonly stopReason: StopReason;
  readonly finalResponse?: FinalResponse | undefined;
  readonly calls: readonly Call[];
  readonly usage?: Usage | undefined;
  /** Ends the run. */
  readonly end?: Pick<RunEnd, 'outcome' | 'error'> | undefined;
  /** The step came to nothing, for a reason that the next one may not have. */
  readonly mayTryAgain?: boolean | undefined;
}

type Cut = ModelStepEnd & { readonly kind: 'cut' };

const MAX_OVERFLOWS = 2;

/**
 * One response of the model and, in automatic mode, its tools. With `mayTryAgain` a response that the server itself could
 * not read is dropped instead of ending the run.
 */
export async function* runStep(
  parts: StepParts,
  signal: AbortSignal,
  options: { readonly mayTryAgain: boolean },
): AsyncGenerator<AgentEvent, StepEnd> {
  const { budget, conversation, provider, tools } = parts;
  const requestNow = (): ModelRequest => ({ ...parts.request, messages: conversation.messages });
  let usage: Usage | undefined;
  let room = yield* budget.makeRoom(requestNow(), signal);
  for (let overflows = 0; ; overflows++) {
    if (room.kind === 'failed') return endEarly(room.error, usage, signal);
    if (room.kind === 'compacted') {
      conversation.replace(room.messages);
      usage = addUsage(usage, room.usage);
    }
    const request = requestNow();
    const sent = { ...request, sampling: budget.samplingFor(request) };
    const ended = yield* modelStep(provider, sent, tools.registry, signal);
    const warning = budget.noteResponse(request, usageOf(ended));
    if (warning) yield warning;
    if (ended.kind === 'complete') {
      const end = yield* endComplete(parts, ended.response, ended.heldCalls, signal);
      return { ...end, usage: addUsage(usage, end.usage) };
    }
    if (isRefused(ended) && overflows < MAX_OVERFLOWS) {
      room = yield* budget.recover(sent, ended.error, signal);
      if (room.kind !== 'nothing') continue;
    }
    // What was shown cannot be taken back from who reads blocks.
    const mayDrop = parts.autoExecuteTools || (ended.kept.length === 0 && ended.heldCalls.length === 0);
    const isUnreadable = !signal.aborted && isUnreadableOutput(ended.error);
    if (isUnreadable && options.mayTryAgain && mayDrop) {
      for (const { block, content } of ended.heldCalls) {
        yield { type: 'block_end', block, content: notExecuted(content) };
      }
      yield { type: 'warning', code: 'sampled_again', message: `${ended.error.message} The model is asked again.` };
      return { stopReason: 'incomplete', calls: [], usage, mayTryAgain: true };
    }
    const end = yield* endCut(parts, isUnreadable ? { ...ended, error: explainUnreadable(ended.error) } : ended);
    return { ...end, usage: addUsage(usage, end.usage) };
  }
}

/** Too long, and nothing came. */
function isRefused({ error, kept, heldCalls }: Cut): boolean {
  return error.code === 'context_overflow' && kept.length === 0 && heldCalls.length === 0;
}

/** Before the request was made. */
function endEarly(error: AgentErrorInfo, usage: Usage | undefined, signal: AbortSignal): StepEnd {
  const isInterrupted = signal.aborted || error.code === 'interrupted';
  return {
    stopReason: isInterrupted ? 'interrupted' : 'incomplete',
    calls: [],
    usage,
    end: isInterrupted ? { outcome: 'interrupted' } : { outcome: 'error', error },
  };
}

/** Keeps the text that came, and says of the calls that they do not count. */
async function* endCut(parts: StepParts, cut: Cut): AsyncGenerator<AgentEvent, StepEnd> {
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
  parts: StepParts,
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
  const together = new AskedTogether({ tools: parts.tools, openToolCalls: parts.openToolCalls, calls });
  const askAbout: AskAbout = (call) => together.answerTo(call, signal);
  for (const call of calls) {
    const refusal = refused.get(call);
    if (stop) yield* settleRefused(parts, call, notReached);
    else if (parts.autoExecuteTools || call.type === 'tool_use_error')
      stop = yield* runCall(parts, call, askAbout, signal);
    else if (refusal) yield* settleRefused(parts, call, refusal);
    if (stop) together.stop();
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
