import { AsyncQueue } from '../../../util/async/asyncQueue';
import type { AgentErrorInfo } from '../../errors';
import type { AgentEvent } from '../../events';
import type { ToolUseBlock } from '../../messages';
import type { Call } from './call';
import { notReached, settleRefused, settleUnrun, warnOfRepeat } from './callResults';
import type { RunCallsParts } from './runCallsParts';
import { RunningCall } from './runningCall';
import { prepareCall, type Decision, type RefusedCall } from './toolRunner';
import type { WaitingCall } from '../../waiting/waitingCall';

type Ending = AsyncGenerator<AgentEvent, AgentErrorInfo | undefined>;

/** The most calls that run at the same time. A model may write a hundred in one response. */
const MAX_SIDE_BY_SIDE = 8;

/** A part of the calls of a response: one call, or several that run side by side. */
type CallPart =
  | { readonly kind: 'alone'; readonly call: Call }
  | { readonly kind: 'together'; readonly calls: readonly ToolUseBlock[] };

/** Parts calls, in order. Successive calls that may run side by side make one part. */
export function partsOf(
  calls: readonly Call[],
  mayRunAside: (call: Call) => call is ToolUseBlock,
): readonly CallPart[] {
  const parts: CallPart[] = [];
  let together: ToolUseBlock[] = [];
  const close = (): void => {
    const [only, second] = together;
    if (second) parts.push({ kind: 'together', calls: together });
    else if (only) parts.push({ kind: 'alone', call: only });
    together = [];
  };
  for (const call of calls) {
    if (mayRunAside(call)) together.push(call);
    else {
      close();
      parts.push({ kind: 'alone', call });
    }
  }
  close();
  return parts;
}

/** What happened in a group. */
type News =
  | { readonly kind: 'decided'; readonly index: number; readonly decision: Decision }
  | { readonly kind: 'progress'; readonly event: AgentEvent }
  | { readonly kind: 'ended'; readonly index: number };

/**
 * Runs the calls of a group at the same time. Each is prepared and put to the hooks when the one before was decided, and
 * starts at once. Results are added in the order of the calls. A call that fails changes nothing for the others.
 * Returns why the run should end when a call repeats itself: calls that have not started are then not executed. Where a call waits
 * for an answer, it is added to `waiting` and no later call starts. They are asked about all the same, and stay open.
 */
export async function* runSideBySide(
  parts: RunCallsParts,
  calls: readonly ToolUseBlock[],
  { runSignal, waiting }: { readonly runSignal: AbortSignal; readonly waiting: WaitingCall[] },
): Ending {
  const { conversation, openToolCalls, tools } = parts;
  const news = new AsyncQueue<News>();
  const arriving = news[Symbol.asyncIterator]();
  const done = new Map<number, RunningCall | RefusedCall>();
  const signalOf = ({ id }: ToolUseBlock): AbortSignal => openToolCalls.signalOf(id) ?? runSignal;
  let asked = 0;
  let settled = 0;
  let runningCount = 0;
  let isAsking = false;
  /** The first call that waits. */
  let firstOpen = calls.length;
  let stop: AgentErrorInfo | undefined;

  const askNext = (): void => {
    const call = calls[asked];
    if (!call || isAsking || stop || runningCount >= MAX_SIDE_BY_SIDE) return;
    const index = asked++;
    isAsking = true;
    prepareCall(tools, call, signalOf(call)).then(
      (decision) => news.push({ kind: 'decided', index, decision }),
      (error: unknown) => news.fail(error),
    );
  };
  const watch = async (running: RunningCall, index: number): Promise<void> => {
    for await (const event of running.progress()) news.push({ kind: 'progress', event });
    news.push({ kind: 'ended', index });
  };
  const started = new Map<number, RunningCall>();

  while (settled < firstOpen || isAsking || (asked < calls.length && !stop)) {
    askNext();
    const next = await arriving.next();
    if (next.done) break;
    const item = next.value;
    switch (item.kind) {
      case 'progress':
        yield item.event;
        break;
      case 'ended': {
        runningCount -= 1;
        const running = started.get(item.index);
        if (running) done.set(item.index, running);
        break;
      }
      case 'decided': {
        const { index, decision } = item;
        const call = calls[index];
        isAsking = false;
        if (!call) break;
        if (!decision.ok && decision.outcome === 'waiting') {
          waiting.push(decision.call);
          firstOpen = Math.min(firstOpen, index);
          break;
        }
        if (index > firstOpen) break;
        if (!decision.ok || stop) {
          done.set(index, decision.ok ? notReached : decision);
          break;
        }
        const { tool, input } = decision;
        yield { type: 'tool_execution_start', toolUseId: call.id, toolName: tool.name, input };
        const running = new RunningCall(parts, call, decision, { signal: signalOf(call), runSignal });
        runningCount += 1;
        started.set(index, running);
        watch(running, index).catch((error: unknown) => news.fail(error));
        break;
      }
    }
    if (stop) {
      waiting.length = 0;
      firstOpen = calls.length;
    }
    for (let call = calls[settled]; call && settled < firstOpen; call = calls[settled]) {
      const end = done.get(settled) ?? (stop && !started.has(settled) ? notReached : undefined);
      if (!end) break;
      settled += 1;
      if (end instanceof RunningCall) stop = (yield* warnOfRepeat(yield* end.finish(), call.name)) ?? stop;
      else if (end === notReached) yield* settleRefused(conversation, call, end);
      else stop = (yield* settleUnrun(parts, call, end)) ?? stop;
      openToolCalls.close(call.id);
    }
  }
  return stop;
}
