import type { AgentEvent } from '../events';
import { addUsage } from '../executionResult';
import { dropLimitedAnswer, takeCompleteAnswer } from './completeAnswer';
import { requestWithinContext, type FittedResponse } from './contextOverflow';
import { takeCutAnswer, type TryAgain } from './cutAnswer';
import type { StepEnd, StepParts } from './stepEnd';

/**
 * One response of the model and, in automatic mode, its tools. With `mayTryAgain` a response that the server could not
 * read is dropped instead of ending the run, and so is one that a limit of the server's own ended.
 */
export async function* runStep(
  parts: StepParts,
  signal: AbortSignal,
  options: TryAgain,
): AsyncGenerator<AgentEvent, StepEnd> {
  const response = yield* requestWithinContext(parts, signal);
  const end = yield* takeResponse(parts, response, signal, options);
  return { ...end, usage: addUsage(response.compactionUsage, end.usage) };
}

async function* takeResponse(
  parts: StepParts,
  response: FittedResponse,
  signal: AbortSignal,
  options: TryAgain,
): AsyncGenerator<AgentEvent, StepEnd> {
  switch (response.kind) {
    case 'complete': {
      // In manual mode the caller has read the blocks already.
      const mayDrop = options.mayTryAgain && parts.autoExecuteTools;
      if (response.hasServersLimit && mayDrop) return yield* dropLimitedAnswer(response);
      return yield* takeCompleteAnswer(parts, response, signal);
    }
    case 'cut':
      return yield* takeCutAnswer(parts, response, signal, options);
    case 'no_room': {
      const { error } = response;
      const isInterrupted = signal.aborted || error.code === 'interrupted';
      if (isInterrupted) return { stopReason: 'interrupted', calls: [], end: { outcome: 'interrupted' } };
      return { stopReason: 'incomplete', calls: [], end: { outcome: 'error', error } };
    }
  }
}
