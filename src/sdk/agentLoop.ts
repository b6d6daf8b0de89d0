import type { AgentErrorInfo } from './errors';
import type { AgentEvent } from './events';
import { addUsage, type FinalResponse, type RunEnd } from './executionResult';
import { RepeatedCalls } from './loops/repeatedCalls';
import type { Usage } from './messages';
import { runStep, type StepParts } from './step';
import { addUserMessage, bridges } from './userMessages';

export interface AgentLoopParts extends Omit<StepParts, 'repeatedCalls'> {
  readonly maxToolIterations: number;
  /**
   * Takes what was said to the run while it was going; `undefined` when nothing was. After the final answer that means:
   * the run is over and takes no more.
   */
  readonly takeSteering: (when: { readonly isFinalAnswer: boolean }) => string | undefined;
}

/**
 * Model and tools in turn, until the final answer, an error, an interruption or the limit. In manual mode: one response.
 * Whenever it waits for the model, and when it ends, every call in history has its result (in manual mode: or waits for the
 * caller's).
 */
export async function* agentLoop(parts: AgentLoopParts, signal: AbortSignal): AsyncGenerator<AgentEvent, RunEnd> {
  let usage: Usage | undefined;
  let finalResponse: FinalResponse | undefined;
  const run: StepParts = { ...parts, repeatedCalls: new RepeatedCalls() };
  let isNudged = false;
  let toolIterations = 0;
  let droppedCount = 0;
  for (let step = 0; ; step++) {
    if (signal.aborted) return { outcome: 'interrupted', finalResponse, usage };
    yield { type: 'step_start', step };
    const ended = yield* runStep(run, signal, { mayTryAgain: droppedCount < MAX_DROPPED });
    yield { type: 'step_end', step, stopReason: ended.stopReason };
    usage = addUsage(usage, ended.usage);
    finalResponse = ended.finalResponse ?? finalResponse;

    if (ended.end) return { ...ended.end, finalResponse, usage };
    if (signal.aborted) return { outcome: 'interrupted', finalResponse, usage };
    if (ended.mayTryAgain) {
      droppedCount += 1;
      continue;
    }
    droppedCount = 0;
    if (!parts.autoExecuteTools) return { outcome: 'completed', finalResponse, usage };
    if (ended.calls.length > 0) toolIterations += 1;
    if (ended.calls.length > 0 && toolIterations >= parts.maxToolIterations) {
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

/** How often in a row a response may be dropped that the server could not read. */
const MAX_DROPPED = 2;

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

function limitWarning(maxToolIterations: number): AgentEvent {
  const message = `The run stopped after ${maxToolIterations} tool iterations (maxToolIterations). Continue it, or raise the limit.`;
  return { type: 'warning', code: 'max_tool_iterations', message };
}
