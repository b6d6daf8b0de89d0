import type { AgentErrorInfo } from './errors';
import type { AgentEvent, RunOutcome } from './events';
import type { WaitingCall } from './waiting/waitingCall';
import type { WaitingRun } from './waiting/waitingRun';
import type { AssistantMessage, Message, StopReason, ToolUseBlock, Usage } from './messages';

/** A response as it is in the history. */
export interface FinalResponse {
  /** Empty when the server named none. */
  readonly id: string;
  readonly model: string;
  readonly stopReason: StopReason;
  readonly content: AssistantMessage['content'];
}

/** An answer that does not match `outputSchema`. */
export interface RejectedOutput {
  /** The text of the answer. */
  readonly answer: string;
  /** Names every wrong field. The model got it, unless no correction was left. */
  readonly error: string;
}

/** The result of a run, as plain data. `Output`: the type of the values that match `outputSchema`. */
export interface AgentExecutionResult<Output = unknown> {
  /** The whole history, earlier turns included. */
  readonly conversation: readonly Message[];
  /** The last response of the run; absent when there was none. */
  readonly finalResponse?: FinalResponse | undefined;
  /**
   * The tool calls of the run, in order. In an automatic run they led to the final response. In manual mode they wait for their
   * results.
   */
  readonly toolUses: readonly ToolUseBlock[];
  /** Sum of the responses that reported their usage. */
  readonly usage?: Usage | undefined;
  readonly outcome: RunOutcome;
  /** With `outputSchema`: the final answer as a value that matches it. Absent without such an answer. */
  readonly structuredOutput?: Output | undefined;
  /**
   * The answers that did not match `outputSchema`, in order. With a `structuredOutput` the model has corrected them. Absent:
   * none was rejected.
   */
  readonly rejectedOutputs?: readonly RejectedOutput[] | undefined;
  /** With the outcome `waiting`: the run to save and to resume with the answers. */
  readonly waiting?: WaitingRun | undefined;
  readonly error?: AgentErrorInfo | undefined;
  /** The text of the final response; empty when there is none. */
  readonly primaryText: string;
  readonly hasError: boolean;
}

/**
 * The events of a run, for one reader. The result is the return value: see `resultOf`. Leaving early interrupts the run at once.
 */
export type RunEvents<Output = unknown> = AsyncGenerator<AgentEvent, AgentExecutionResult<Output>>;

/** How a run ended, as the loop knows it. */
export interface RunEnd {
  readonly outcome: RunOutcome;
  readonly error?: AgentErrorInfo | undefined;
  readonly finalResponse?: FinalResponse | undefined;
  /** Absent: no call. */
  readonly toolUses?: readonly ToolUseBlock[] | undefined;
  readonly usage?: Usage | undefined;
  readonly structuredOutput?: unknown;
  /** With `waiting`: the calls that wait. */
  readonly waiting?: readonly WaitingCall[] | undefined;
  /** Absent: none. */
  readonly rejectedOutputs?: readonly RejectedOutput[] | undefined;
}

/** `Output`: what the values of `outputSchema` are. */
export function executionResult<Output>(
  end: RunEnd,
  conversation: readonly Message[],
  waiting: WaitingRun | undefined,
): AgentExecutionResult<Output> {
  const content = end.finalResponse?.content ?? [];
  return {
    conversation,
    ...(end.finalResponse ? { finalResponse: end.finalResponse } : {}),
    toolUses: end.toolUses ?? [],
    ...(end.usage ? { usage: end.usage } : {}),
    outcome: end.outcome,
    ...(end.structuredOutput === undefined ? {} : { structuredOutput: end.structuredOutput as Output }),
    ...(end.rejectedOutputs?.length ? { rejectedOutputs: end.rejectedOutputs } : {}),
    ...(waiting ? { waiting } : {}),
    ...(end.error ? { error: end.error } : {}),
    primaryText: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    hasError: end.error !== undefined,
  };
}

export function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!sum || !usage) return sum ?? usage;
  const total: Usage = {
    promptTokens: sum.promptTokens + usage.promptTokens,
    completionTokens: sum.completionTokens + usage.completionTokens,
  };
  if (sum.cachedTokens === undefined && usage.cachedTokens === undefined) return total;
  return { ...total, cachedTokens: (sum.cachedTokens ?? 0) + (usage.cachedTokens ?? 0) };
}
