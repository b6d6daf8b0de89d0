import type { AgentEvent } from '../events';
import type { StopHook } from '../hooks';
import { addUsage, type FinalResponse, type RejectedOutput, type RunEnd } from '../executionResult';
import { AnswerJudge, type AnswerJudgeParts, type Verdict } from './finalAnswer';
import { RepeatedCalls } from './toolCalls/repeatedCalls';
import { CutCalls, type CutCall } from './cutCall';
import type { ToolUseBlock, Usage } from '../messages';
import { runResumedCalls } from './toolCalls/resumedCalls';
import { runStep } from './step';
import type { StepParts } from './stepEnd';
import type { SteeringQueue } from './turn/steeringQueue';
import type { WaitingAnswers } from '../waiting/waitingAnswers';
import { runStopHooks } from './hooks/stopHooks';
import { addUserMessage, bridges } from './turn/userMessages';
import * as l10n from '../../util/l10n';

export interface AgentLoopParts
  extends Omit<StepParts, 'repeatedCalls' | 'emit'>, Pick<AnswerJudgeParts, 'output' | 'maxOutputCorrections'> {
  readonly maxToolIterations: number;
  /** See `AgentOptions`. */
  readonly maxRepeatedCalls: number | null;
  /** `required`: the first response to a prompt must call a tool. */
  readonly toolChoice: 'auto' | 'required';
  /** Asked before the end. */
  readonly stopHooks: readonly StopHook[];
  /** Closed after the final answer, when it has no more messages. */
  readonly steering: SteeringQueue;
}

/** How a run begins, and to whom it tells the events of responses. */
export interface LoopStart {
  readonly emit: StepParts['emit'];
  /** Goes on with the calls at the end of the history. Absent: asks the model. */
  readonly answers?: WaitingAnswers | undefined;
}

/**
 * Alternates model and tools until the final answer, an error, an interruption or the limit. Manual mode takes one
 * response, or more when the model only thought or its answer had to be corrected. Before each request and at the end
 * every call in the history has its result, or in manual mode waits for the caller's. `emit` gets the events of responses.
 */
export async function* agentLoop(
  parts: AgentLoopParts,
  { emit, answers: given }: LoopStart,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, RunEnd> {
  const { autoExecuteTools, conversation, maxToolIterations, request, output, maxOutputCorrections } = parts;
  let run: StepParts = { ...parts, emit, repeatedCalls: new RepeatedCalls(parts.maxRepeatedCalls) };
  let mustCallTool = parts.toolChoice === 'required' && conversation.last?.role === 'user';
  const answers = new AnswerJudge({
    model: request.model,
    output,
    maxOutputCorrections,
  });
  const cutCalls = new CutCalls(request.model);
  let usage: Usage | undefined;
  let finalResponse: FinalResponse | undefined;
  const toolUses: ToolUseBlock[] = [];
  const rejectedOutputs: RejectedOutput[] = [];
  const end = (how: Pick<RunEnd, 'outcome' | 'error' | 'structuredOutput' | 'waiting'>): RunEnd => ({
    ...how,
    finalResponse,
    toolUses,
    usage,
    rejectedOutputs,
  });
  let toolIterations = 0;
  let droppedCount = 0;
  let waitedCount = 0;
  let heldCount = 0;
  if (given) {
    yield { type: 'step_start', step: 0 };
    const resumed = yield* runResumedCalls(run, given, signal);
    yield { type: 'step_end', step: 0, stopReason: resumed.stopReason };
    toolUses.push(...resumed.calls.filter((call) => call.type === 'tool_use'));
    if (resumed.end) return end(resumed.end);
    if (++toolIterations >= maxToolIterations) {
      yield limitWarning(maxToolIterations);
      return end({ outcome: 'limit' });
    }
    const steering = parts.steering.take();
    if (steering !== undefined) yield* addUserMessage(conversation, steering, 'steer', bridges.steering);
  }
  for (let step = given ? 1 : 0; ; step++) {
    if (signal.aborted) return end({ outcome: 'interrupted' });
    yield { type: 'step_start', step };
    const { request } = run;
    const mayUseText = request.tools.length > 0 && request.toolsAsText !== true;
    const now = mustCallTool ? { ...run, request: { ...request, toolChoice: 'required' as const } } : run;
    const ended = yield* runStep(now, signal, {
      mayTryAgain: droppedCount < MAX_DROPPED || mayUseText,
      mayWait: waitedCount < MAX_WAITED,
    });
    yield { type: 'step_end', step, stopReason: ended.stopReason };
    usage = addUsage(usage, ended.usage);
    finalResponse = ended.finalResponse ?? finalResponse;
    toolUses.push(...(ended.finalResponse?.content ?? []).filter((block) => block.type === 'tool_use'));

    if (ended.end) return end(ended.end);
    if (signal.aborted) return end({ outcome: 'interrupted' });
    if (ended.mayTryAgain) {
      if (ended.isUnreadable && droppedCount === MAX_DROPPED) {
        run = { ...run, request: { ...request, toolsAsText: true } };
        yield textWarning(request.model);
      }
      droppedCount += ended.isUnreadable ? 1 : 0;
      waitedCount += ended.hasWaited ? 1 : 0;
      continue;
    }
    droppedCount = 0;
    waitedCount = 0;
    mustCallTool = false;
    const hasCalls = ended.calls.length > 0;
    const { cutCall } = ended;
    const cutTooOften = cutCalls.add(cutCall);
    if (cutTooOften) return end({ outcome: 'error', error: cutTooOften });
    if (cutCall) yield cutCalls.warning(cutCall);
    if (hasCalls && !autoExecuteTools) return end({ outcome: 'completed' });
    if (hasCalls && ++toolIterations >= maxToolIterations) {
      yield limitWarning(maxToolIterations);
      return end({ outcome: 'limit' });
    }
    const verdict = hasCalls ? undefined : verdictOn(cutCall, () => answers.judge(ended.finalResponse));
    const rejected = verdict?.kind === 'accept' ? undefined : verdict?.rejected;
    if (rejected) {
      rejectedOutputs.push(rejected);
      yield { type: 'output_rejected', error: rejected.error, willCorrect: verdict?.kind === 'again' };
    }
    const isFinalAnswer = verdict !== undefined && verdict.kind !== 'again';
    let steering = parts.steering.take();
    if (steering === undefined && verdict?.kind === 'accept' && heldCount < MAX_HELD && parts.stopHooks.length > 0) {
      const stop = await runStopHooks(parts.stopHooks, textOf(ended.finalResponse), signal);
      if (signal.aborted) return end({ outcome: 'interrupted' });
      if (stop.kind === 'failed') yield { type: 'warning', code: 'hook_failed', message: stop.error };
      if (stop.kind === 'continue') {
        heldCount += 1;
        yield* addUserMessage(conversation, stop.message, 'hook', bridges.stopped);
        continue;
      }
      // The hooks may have taken a while.
      steering = parts.steering.take();
    }
    if (steering === undefined && isFinalAnswer) parts.steering.close();
    if (steering !== undefined) {
      yield* addUserMessage(conversation, steering, 'steer', bridges.steering);
    } else if (hasCalls && cutCall?.prompt !== undefined) {
      // Complete calls ran before the one that was cut.
      yield* addUserMessage(conversation, cutCall.prompt, 'prompt', bridges.stopped);
    } else if (verdict?.kind === 'again') {
      yield* addUserMessage(conversation, verdict.prompt, 'prompt', bridges.stopped);
    } else if (verdict?.kind === 'fail') {
      return end({ outcome: 'error', error: verdict.error });
    } else if (verdict) {
      return end({ outcome: 'completed', structuredOutput: verdict.structuredOutput });
    }
  }
}

/** The model is told of a call that is not complete. Any other answer is judged. */
function verdictOn(cutCall: CutCall | undefined, judge: () => Verdict): Verdict {
  return cutCall?.prompt === undefined ? judge() : { kind: 'again', prompt: cutCall.prompt };
}

function textOf(response: FinalResponse | undefined): string {
  return (response?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** How often Stop hooks may keep a run from its end. */
const MAX_HELD = 10;

/** How many unreadable responses in a row may be dropped. */
const MAX_DROPPED = 2;

/** How often in a row an answer may begin again because the server was full or gone. */
const MAX_WAITED = 5;

function textWarning(model: string): AgentEvent {
  const message = l10n.t(
    'The server cannot read the tool calls of {0}. For the rest of this run the tools are described in text, which works less well.',
    model,
  );
  return { type: 'warning', code: 'server_quirk', message };
}

function limitWarning(maxToolIterations: number): AgentEvent {
  const message = l10n.t(
    'The run stopped after {0} tool iterations (maxToolIterations). Continue it, or raise the limit.',
    maxToolIterations,
  );
  return { type: 'warning', code: 'max_tool_iterations', message };
}
