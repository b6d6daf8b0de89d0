import type { JsonObject } from '../../../util/json';
import { messageOf } from '../../../util/errors';
import { raceAbort } from '../../abort';
import type { BeforeRun, PreToolUseEvent, PreToolUseHook } from '../../hooks';
import type { Signal } from '../../platform';
import type { Planned } from '../../tool';
import type { WaitingAnswers } from '../../waiting/waitingAnswers';
import { describeWaiting, type WaitingCall } from '../../waiting/waitingCall';
import { askHook, notADecision, type Refusal } from './askHook';

/** A valid call with its plan. */
export interface PreparedCall {
  readonly input: JsonObject;
  /** With `planAfterReading`: what the tool wants to read. */
  readonly plan: unknown;
  /** Makes the plan, after the hooks allowed the reading. Never rejects. */
  readonly planAfterReading?: (() => Promise<Planned<PreparedCall>>) | undefined;
}

export type PreToolUseOutcome =
  | { readonly kind: 'allowed'; readonly call: PreparedCall; readonly beforeRun: readonly BeforeRun[] }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'waiting'; readonly call: WaitingCall }
  | Refusal;

interface ToolCall extends PreparedCall {
  readonly toolName: string;
  readonly toolUseId: string;
}

interface Reprepare {
  /** Validates and prepares another input. */
  readonly prepareAgain: (input: JsonObject) => Promise<Planned<PreparedCall>>;
  readonly signal: Signal;
  /** The answers to calls for which a hook waits. Absent: none yet. */
  readonly answers?: Pick<WaitingAnswers, 'allows'> | undefined;
}

/** How the hooks before have decided. */
interface Decided {
  /** Their checks. */
  readonly beforeRun: readonly BeforeRun[];
  /** One of them waited, and has the answer for the call as it was then. */
  readonly isAnswered: boolean;
}

/**
 * Asks the hooks in order. After `modify` the new input is validated and prepared again, and the next hook sees the
 * result. If the call wants to read first, all of them are asked again about its plan. An unknown answer denies, and so does
 * a change after an answer to the call. Never throws.
 */
export async function runPreToolUse(
  hooks: readonly PreToolUseHook[],
  call: ToolCall,
  options: Reprepare,
): Promise<PreToolUseOutcome> {
  return askInOrder(hooks, call, { beforeRun: [], isAnswered: false }, options);
}

async function askInOrder(
  hooks: readonly PreToolUseHook[],
  call: ToolCall,
  decided: Decided,
  options: Reprepare,
): Promise<PreToolUseOutcome> {
  const { toolName, toolUseId, input, planAfterReading } = call;
  const { prepareAgain, signal, answers } = options;
  let { plan } = call;
  let { isAnswered } = decided;
  const beforeRun = [...decided.beforeRun];
  for (const [index, hook] of hooks.entries()) {
    const isReading = planAfterReading && ({ isReading: true } as const);
    const event: PreToolUseEvent = { type: 'PreToolUse', toolName, toolUseId, input, plan, ...isReading, signal };
    const asked = await askHook('PreToolUse', () => hook(event), signal);
    if ('refusal' in asked) return asked.refusal;
    const { answer } = asked;
    if (answer === undefined) continue;
    switch (answer.action) {
      case 'allow':
        if (answer.plan !== undefined && planAfterReading) {
          return { kind: 'denied', reason: 'a PreToolUse hook changed what the tool reads' };
        }
        if (answer.plan !== undefined) plan = answer.plan;
        if (answer.beforeRun) beforeRun.push(answer.beforeRun);
        break;
      case 'modify': {
        const next = await planOf(prepareAgain(answer.input), signal);
        if ('kind' in next) return next;
        const later = hooks.slice(index + 1);
        return askInOrder(later, { ...next, toolName, toolUseId }, { beforeRun, isAnswered }, options);
      }
      case 'deny':
        return { kind: 'denied', reason: answer.reason };
      case 'wait': {
        const waiting = waitFor({ toolName, toolUseId, input, plan, ...isReading });
        if (waiting.kind !== 'waiting' || !answers?.allows(waiting.call)) return waiting;
        isAnswered = true;
        break;
      }
    }
  }
  if (isAnswered) {
    const waiting = waitFor({ toolName, toolUseId, input, plan, ...(planAfterReading && { isReading: true }) });
    const isSeen = waiting.kind === 'waiting' && answers?.allows(waiting.call) === true;
    if (!isSeen) return { kind: 'denied', reason: 'a PreToolUse hook changed the call after it was allowed' };
  }
  if (!planAfterReading) return { kind: 'allowed', call: { input, plan }, beforeRun };
  const next = await planOf(planAfterReading(), signal);
  // The decision was about reading only.
  return 'kind' in next ? next : runPreToolUse(hooks, { ...next, toolName, toolUseId }, options);
}

/** A call whose plan cannot be saved is denied, because no later answer could be checked against it. */
function waitFor(call: Parameters<typeof describeWaiting>[0]): PreToolUseOutcome {
  try {
    return { kind: 'waiting', call: describeWaiting(call) };
  } catch (error) {
    return { kind: 'denied', reason: `a PreToolUse hook waits for an answer, but ${messageOf(error)}`, cause: error };
  }
}

/** What a call has become, or why it goes no further. */
async function planOf(
  preparing: Promise<Planned<PreparedCall>>,
  signal: Signal,
): Promise<PreparedCall | Exclude<PreToolUseOutcome, { readonly kind: 'allowed' }>> {
  const prepared = await raceAbort(preparing, signal);
  if (prepared.isAborted || signal.aborted) return { kind: 'interrupted' };
  return prepared.value.ok ? prepared.value.plan : { kind: 'failed', error: prepared.value.error };
}

/** Asks the hooks once more about a call that they allowed. The last plan counts. Never throws. */
export async function runBeforeRun(
  checks: readonly BeforeRun[],
  plan: unknown,
  signal: Signal,
): Promise<{ readonly kind: 'allowed'; readonly plan: unknown } | Refusal> {
  let current = plan;
  for (const check of checks) {
    const asked = await askHook('PreToolUse', check, signal);
    if ('refusal' in asked) return asked.refusal;
    const { answer } = asked;
    if (answer?.action === 'deny') return { kind: 'denied', reason: answer.reason };
    if (answer?.action !== 'allow') return notADecision('PreToolUse', answer);
    if (answer.plan !== undefined) current = answer.plan;
  }
  return { kind: 'allowed', plan: current };
}
