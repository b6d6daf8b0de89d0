import type { ContextBudget } from '../context/contextBudget';
import type { AgentEvent } from '../events';
import type { FinalResponse, RunEnd } from '../executionResult';
import type { AssistantMessage, StopReason, Usage } from '../messages';
import type { ModelProvider, ModelRequest } from '../model/modelProvider';
import type { Call } from './toolCalls/call';
import type { CutCall } from './cutCall';
import type { RunCallsParts } from './toolCalls/runCallsParts';

export interface StepParts extends RunCallsParts {
  readonly provider: ModelProvider;
  readonly budget: ContextBudget;
  /** Gets the events of a response as they come. Events that were yielded before it were taken before it. */
  readonly emit: (event: AgentEvent) => void;
  /** A request without its messages. */
  readonly request: Omit<ModelRequest, 'messages'>;
}

/** The result of a step. `calls` is empty after the final answer. */
export interface StepEnd {
  readonly stopReason: StopReason;
  readonly finalResponse?: FinalResponse | undefined;
  readonly calls: readonly Call[];
  readonly usage?: Usage | undefined;
  /** Why calls of the response are not complete, for the model, and whether a limit cut them. */
  readonly cutCall?: CutCall | undefined;
  /** Ends the run. */
  readonly end?: Pick<RunEnd, 'outcome' | 'error' | 'waiting'> | undefined;
  /** The step gave no answer, but the next one may. */
  readonly mayTryAgain?: boolean | undefined;
  /** The server could not read the response. */
  readonly isUnreadable?: boolean | undefined;
  /** The server had no room for the rest of the dropped response, or is gone. */
  readonly hasWaited?: boolean | undefined;
}

/** The events of a response that is in the history. */
export function* responseEvents(
  message: AssistantMessage,
  { id: responseId, model }: Pick<FinalResponse, 'id' | 'model'>,
  usage: Usage | undefined,
): Generator<AgentEvent> {
  yield { type: 'assistant_message', message, responseId, model, ...(usage ? { usage } : {}) };
  if (usage) yield { type: 'usage', usage };
}
