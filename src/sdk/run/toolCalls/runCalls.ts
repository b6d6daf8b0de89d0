import { abortMessage } from '../../abort';
import type { AgentErrorInfo } from '../../errors';
import type { AgentEvent } from '../../events';
import type { ToolUseBlock } from '../../messages';
import { AskedTogether } from './askedTogether';
import type { Call } from './call';
import { notReached, settleOpenCalls, settleRefused, settleUnrun, warnOfRepeat } from './callResults';
import { noteRepeat } from './repeatedCalls';
import type { RunCallsParts } from './runCallsParts';
import { RunningCall } from './runningCall';
import { partsOf, runSideBySide } from './sideBySide';
import type { RefusedCall } from './toolRunner';
import type { StepEnd } from '../stepEnd';
import type { WaitingCall } from '../../waiting/waitingCall';

type Ending = AsyncGenerator<AgentEvent, AgentErrorInfo | undefined>;

/**
 * The calls of one response, in order. In manual mode it only adds the results of calls that cannot or must not execute.
 * Calls have their effects one after the other, except where their tools may run side by side (`Tool.parallel`). Checks that
 * come after an effect (`ToolContext.waitForGroup`) wait until the following calls of their group have had theirs. Results are
 * added in the order of the calls.
 * Where a call repeats itself, later calls are not executed. Where one waits for an answer, it and all later calls stay open.
 */
export async function* runCalls(
  parts: RunCallsParts,
  calls: readonly Call[],
  refused: ReadonlyMap<Call, RefusedCall>,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, CallsEnd> {
  const { conversation, tools, openToolCalls, autoExecuteTools } = parts;
  const together = new AskedTogether({ tools, openToolCalls, calls });
  const step: Step = { parts, together, held: [], waiting: [], signal };
  let stop: AgentErrorInfo | undefined;
  try {
    for (const part of partsOf(calls, (call) => mayRunAside(parts, call, refused))) {
      if (part.kind === 'together') {
        stop = (yield* finishHeld(step)) ?? stop;
        if (!stop) stop = yield* runSideBySide(parts, part.calls, { runSignal: signal, waiting: step.waiting });
        else for (const call of part.calls) yield* settleRefused(conversation, call, notReached);
        if (step.waiting.length > 0) break;
        continue;
      }
      const { call } = part;
      const isRun = call.type === 'tool_use' && autoExecuteTools && !refused.has(call);
      if (!isRun || !tools.registry.find(call.name)?.touches) stop = (yield* finishHeld(step)) ?? stop;
      const refusal = stop ? notReached : refused.get(call);
      if (refusal) yield* settleRefused(conversation, call, refusal);
      else if (call.type === 'tool_use_error') stop = yield* failCall(parts, call);
      else if (autoExecuteTools) stop = yield* runCall(step, call);
      if (stop) step.together.stop();
      if (step.waiting.length > 0) {
        await addWaiting(step, calls.slice(calls.indexOf(call) + 1));
        break;
      }
    }
    stop = (yield* finishHeld(step)) ?? stop;
  } finally {
    for (const running of step.held) running.release();
  }
  if (step.waiting.length > 0 && signal.aborted) {
    yield* settleOpenCalls(conversation, `${abortMessage(signal)} The call was not executed and nothing was changed.`);
  }
  openToolCalls.clear();
  return { stop, waiting: signal.aborted ? [] : step.waiting };
}

/** How the calls of a response ended. `stop`: why the run should end. `waiting`: the calls that wait for an answer. */
export interface CallsEnd {
  readonly stop: AgentErrorInfo | undefined;
  readonly waiting: readonly WaitingCall[];
}

/** The end of the run, if the calls end it. */
export function endOf({ stop, waiting }: CallsEnd): Pick<StepEnd, 'end'> {
  if (stop) return { end: { outcome: 'error', error: stop } };
  return waiting.length > 0 ? { end: { outcome: 'waiting', waiting } } : {};
}

interface Step {
  readonly parts: RunCallsParts;
  readonly together: AskedTogether;
  /** Calls that had their effect and wait with their checks. */
  readonly held: RunningCall[];
  /** Calls that wait for an answer. */
  readonly waiting: WaitingCall[];
  readonly signal: AbortSignal;
}

function mayRunAside(
  { tools, autoExecuteTools }: RunCallsParts,
  call: Call,
  refused: ReadonlyMap<Call, RefusedCall>,
): call is ToolUseBlock {
  if (call.type !== 'tool_use' || !autoExecuteTools || refused.has(call)) return false;
  const tool = tools.registry.find(call.name);
  return tool?.parallel === true && !tool.touches;
}

/** The result of a call that could not be read. */
async function* failCall(parts: RunCallsParts, call: Exclude<Call, ToolUseBlock>): Ending {
  const name = call.toolName ?? '';
  const repeat = parts.repeatedCalls.add({ name, input: call.rawData }, call.error);
  const error = repeat ? noteRepeat(call.error, repeat) : call.error;
  yield* settleRefused(parts.conversation, call, { ok: false, input: {}, outcome: 'failed', error });
  return yield* warnOfRepeat(repeat, name);
}

/** One call from preparation to its effect, or to its result in history. */
async function* runCall(step: Step, call: ToolUseBlock): Ending {
  const { parts, together, held, signal: runSignal } = step;
  const { conversation, openToolCalls } = parts;
  const signal = openToolCalls.signalOf(call.id) ?? runSignal;
  const decision = together.decide(call, runSignal);
  const hadHeld = held.length > 0;
  if (hadHeld && !together.isDecided(call)) {
    // A person may take long: the results of the calls before do not wait for that.
    for (const running of held) running.release();
    const isDecided = decision.then(() => true);
    const haveEnded = Promise.all(held.map((running) => running.ended())).then(() => false);
    if (!(await Promise.race([isDecided, haveEnded]))) {
      const stop = yield* finishHeld(step);
      if (stop) {
        together.stop();
        yield* settleRefused(conversation, call, notReached);
        return stop;
      }
    }
  }
  const decided = await decision;
  if (!decided.ok && decided.outcome === 'waiting') {
    const stop = yield* finishHeld(step);
    if (stop) yield* settleRefused(conversation, call, notReached);
    else step.waiting.push(decided.call);
    return stop;
  }
  const prepared = decided.ok ? await together.confirm(call, decided, { runSignal, isLate: hadHeld }) : decided;
  if (!prepared.ok) {
    const stop = yield* finishHeld(step);
    const stopHere = yield* settleUnrun(parts, call, prepared);
    openToolCalls.close(call.id);
    return stopHere ?? stop;
  }
  const { input, tool } = prepared;
  yield { type: 'tool_execution_start', toolUseId: call.id, toolName: tool.name, input };
  const running = new RunningCall(parts, call, prepared, { signal, runSignal });
  held.push(running);
  const isHeld = yield* running.untilHeld();
  return isHeld ? undefined : yield* finishHeld(step);
}

/** Adds the calls that were asked about together with the one that waits, and wait too. They can be answered together. */
async function addWaiting({ together, waiting, signal }: Step, later: readonly Call[]): Promise<void> {
  for (const call of later) {
    if (call.type !== 'tool_use' || !together.isAsked(call)) break;
    const decided = await together.decide(call, signal);
    if (!decided.ok && decided.outcome === 'waiting') waiting.push(decided.call);
  }
}

/** Adds the results of the calls that were held, after their checks. The checks wait at the same time. */
async function* finishHeld({ parts, held }: Step): Ending {
  let stop: AgentErrorInfo | undefined;
  for (const running of held) running.release();
  while (held[0]) {
    const running = held[0];
    const repeat = yield* running.finish();
    held.shift();
    parts.openToolCalls.close(running.call.id);
    stop = (yield* warnOfRepeat(repeat, running.call.name)) ?? stop;
  }
  return stop;
}
