import { isJsonObject, type JsonObject } from '../util/json';
import { raceAbort } from './abort';
import type { ToolOutcome } from './events';
import type { ToolResultBlock } from './messages';
import type { Planned } from './tool';
import { messageOf } from '../util/errors';
import type { Signal } from './platform';
import type { WaitingAnswers } from './waiting/waitingAnswers';
import { describeWaiting, type WaitingCall } from './waiting/waitingCall';

/**
 * Before a tool runs. `plan` is what the tool prepared. Exactly this executes, unless a hook narrows it. `isReading`: the
 * tool only asks to read; see `ReadingFirst`. Another event with the plan follows.
 */
export interface PreToolUseEvent {
  readonly type: 'PreToolUse';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: JsonObject;
  readonly plan: unknown;
  readonly isReading?: true | undefined;
  readonly signal: Signal;
}

/**
 * After a tool ran. `result` is what the model will get. Calls of a group (`Tool.touches`) or side by side (`Tool.parallel`) may
 * end at the same time: then their hooks run at the same time too, in any order.
 */
export interface PostToolUseEvent {
  readonly type: 'PostToolUse';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: JsonObject;
  readonly outcome: ToolOutcome;
  readonly result: ToolResultBlock;
}

/** Before a prompt is added to the history. Not called when a run continues after tools. */
export interface UserPromptSubmitEvent {
  readonly type: 'UserPromptSubmit';
  readonly prompt: string;
}

/**
 * Before an automatic run ends with the model's final answer. Not called when a run ends otherwise, and at most ten times in a
 * run.
 */
export interface StopEvent {
  readonly type: 'Stop';
  /** The answer. */
  readonly text: string;
  readonly signal: Signal;
}

/** The run does not end yet: the model gets the message after its answer. */
export interface StopDecision {
  readonly action: 'continue';
  readonly message: string;
}

/**
 * A hook's answer; `undefined` means no opinion. Any other value that is no decision denies, `null` and `false` too.
 *
 * - `allow` may carry a narrowed plan, and `beforeRun`. That is called right before the call runs if other calls were asked
 *   about or ran in between. It may allow with a plan or deny.
 * - `modify` replaces the input of a tool. It is validated and prepared again before the next hook sees it.
 * - `modifyPrompt` replaces a prompt.
 * - `deny` stops the call or the prompt.
 * - `wait` leaves the decision to an answer that comes later, maybe in another process. The run ends with the outcome `waiting`
 *   and can be saved: see `WaitingRun`. Later hooks are asked when it is resumed. Only in automatic runs; elsewhere it denies.
 */
export type HookDecision =
  | { readonly action: 'allow'; readonly plan?: unknown; readonly beforeRun?: BeforeRun | undefined }
  | { readonly action: 'modify'; readonly input: JsonObject }
  | { readonly action: 'modifyPrompt'; readonly prompt: string }
  | { readonly action: 'deny'; readonly reason: string }
  | { readonly action: 'wait' };

export type BeforeRun = () => HookDecision | Promise<HookDecision>;

type HookAnswer = HookDecision | undefined | void;

/** Decides about a call. `undefined`: no opinion. */
export type PreToolUseHook = (event: PreToolUseEvent) => HookAnswer | Promise<HookAnswer>;
/** Gets to know what a tool did. What it throws becomes a warning. */
export type PostToolUseHook = (event: PostToolUseEvent) => void | Promise<void>;
/** Decides about a prompt. `undefined`: no opinion. */
export type UserPromptSubmitHook = (event: UserPromptSubmitEvent) => HookAnswer | Promise<HookAnswer>;

/** Lets a run end (`undefined`), or sends the model a message. If it throws, the run ends with a warning. */
export type StopHook = (event: StopEvent) => StopDecision | undefined | void | Promise<StopDecision | undefined | void>;

/** Hooks by event, called in order. A PreToolUse or UserPromptSubmit hook that throws denies. */
export interface Hooks {
  readonly PreToolUse?: readonly PreToolUseHook[] | undefined;
  readonly PostToolUse?: readonly PostToolUseHook[] | undefined;
  readonly UserPromptSubmit?: readonly UserPromptSubmitHook[] | undefined;
  readonly Stop?: readonly StopHook[] | undefined;
}

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

/**
 * Asks the hooks in order. After `modify` the new input is validated and prepared again, and the next hook sees the
 * result. If the call wants to read first, all of them are asked again about its plan. An unknown answer denies. Never
 * throws.
 */
export async function runPreToolUse(
  hooks: readonly PreToolUseHook[],
  call: ToolCall,
  options: Reprepare,
): Promise<PreToolUseOutcome> {
  const { toolName, toolUseId, input, planAfterReading } = call;
  const { prepareAgain, signal, answers } = options;
  let { plan } = call;
  const beforeRun: BeforeRun[] = [];
  for (const [index, hook] of hooks.entries()) {
    const isReading = planAfterReading && ({ isReading: true } as const);
    const event: PreToolUseEvent = { type: 'PreToolUse', toolName, toolUseId, input, plan, ...isReading, signal };
    const asked = await ask('PreToolUse', () => hook(event), signal);
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
        const later = hooks.slice(index + 1);
        return askAboutNext(later, call, { ...options, beforeRun, next: () => prepareAgain(answer.input) });
      }
      case 'deny':
        return { kind: 'denied', reason: answer.reason };
      case 'wait': {
        const waiting = waitFor({ toolName, toolUseId, input, plan, ...isReading });
        if (waiting.kind !== 'waiting' || !answers?.allows(waiting.call)) return waiting;
        break;
      }
      default:
        return notADecision('PreToolUse', answer);
    }
  }
  if (planAfterReading) return askAboutNext(hooks, call, { ...options, beforeRun: [], next: planAfterReading });
  return { kind: 'allowed', call: { input, plan }, beforeRun };
}

/** A call whose plan cannot be saved is denied, because no later answer could be checked against it. */
function waitFor(call: Parameters<typeof describeWaiting>[0]): PreToolUseOutcome {
  try {
    return { kind: 'waiting', call: describeWaiting(call) };
  } catch (error) {
    return { kind: 'denied', reason: `a PreToolUse hook waits for an answer, but ${messageOf(error)}`, cause: error };
  }
}

/** Asks hooks about what a call has become. `beforeRun`: the checks of the hooks before them. */
async function askAboutNext(
  hooks: readonly PreToolUseHook[],
  { toolName, toolUseId }: ToolCall,
  options: Reprepare & {
    readonly beforeRun: readonly BeforeRun[];
    readonly next: () => Promise<Planned<PreparedCall>>;
  },
): Promise<PreToolUseOutcome> {
  const { signal, next } = options;
  const prepared = await raceAbort(next(), signal);
  if (prepared.isAborted || signal.aborted) return { kind: 'interrupted' };
  if (!prepared.value.ok) return { kind: 'failed', error: prepared.value.error };
  const outcome = await runPreToolUse(hooks, { ...prepared.value.plan, toolName, toolUseId }, options);
  if (outcome.kind !== 'allowed') return outcome;
  return { ...outcome, beforeRun: [...options.beforeRun, ...outcome.beforeRun] };
}

/** Asks the hooks once more about a call that they allowed. The last plan counts. Never throws. */
export async function runBeforeRun(
  checks: readonly BeforeRun[],
  plan: unknown,
  signal: Signal,
): Promise<{ readonly kind: 'allowed'; readonly plan: unknown } | Refusal> {
  let current = plan;
  for (const check of checks) {
    const asked = await ask('PreToolUse', check, signal);
    if ('refusal' in asked) return asked.refusal;
    const { answer } = asked;
    if (answer?.action === 'deny') return { kind: 'denied', reason: answer.reason };
    if (answer?.action !== 'allow') return notADecision('PreToolUse', answer);
    if (answer.plan !== undefined) current = answer.plan;
  }
  return { kind: 'allowed', plan: current };
}

export type UserPromptOutcome = { readonly kind: 'allowed'; readonly prompt: string } | Refusal;

/** Asks the hooks in order. Each sees the prompt that the one before left. An unknown answer denies. Never throws. */
export async function runUserPromptSubmit(
  hooks: readonly UserPromptSubmitHook[],
  prompt: string,
  signal: Signal,
): Promise<UserPromptOutcome> {
  let text = prompt;
  for (const hook of hooks) {
    const asked = await ask('UserPromptSubmit', () => hook({ type: 'UserPromptSubmit', prompt: text }), signal);
    if ('refusal' in asked) return asked.refusal;
    const { answer } = asked;
    if (answer === undefined || answer.action === 'allow') continue;
    switch (answer.action) {
      case 'modifyPrompt':
        text = answer.prompt;
        break;
      case 'deny':
        return { kind: 'denied', reason: answer.reason };
      default:
        return notADecision('UserPromptSubmit', answer);
    }
  }
  return { kind: 'allowed', prompt: text };
}

/** `cause`: what a hook threw. */
type Refusal =
  { readonly kind: 'denied'; readonly reason: string; readonly cause?: unknown } | { readonly kind: 'interrupted' };

async function ask(
  name: string,
  hook: () => HookAnswer | Promise<HookAnswer>,
  signal: Signal,
): Promise<{ readonly answer: HookDecision | undefined } | { readonly refusal: Refusal }> {
  try {
    const raced = await raceAbort((async () => hook())(), signal);
    if (raced.isAborted) return { refusal: { kind: 'interrupted' } };
    const answer: unknown = raced.value;
    if (answer === undefined) return { answer };
    const decision = decisionIn(answer);
    return decision ? { answer: decision } : { refusal: notADecision(name, answer) };
  } catch (error) {
    return { refusal: { kind: 'denied', reason: `a ${name} hook failed: ${messageOf(error)}`, cause: error } };
  }
}

/** Reads an answer from the caller's code, which types may not have checked. `undefined`: it is no decision. */
function decisionIn(answer: unknown): HookDecision | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { action, plan, beforeRun, input, prompt, reason } = answer as Readonly<Record<string, unknown>>;
  switch (action) {
    case 'allow':
      if (beforeRun !== undefined && typeof beforeRun !== 'function') return undefined;
      return { action, plan, beforeRun: beforeRun as BeforeRun | undefined };
    case 'modify':
      return isJsonObject(input) ? { action, input } : undefined;
    case 'modifyPrompt':
      return typeof prompt === 'string' ? { action, prompt } : undefined;
    case 'deny':
      return { action, reason: typeof reason === 'string' ? reason : '' };
    case 'wait':
      return { action };
    default:
      return undefined;
  }
}

function notADecision(name: string, answer: unknown): Refusal {
  return { kind: 'denied', reason: `a ${name} hook answered ${describe(answer)}, which is no decision for it` };
}

function describe(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? `a ${typeof answer}`;
  } catch {
    return `a ${typeof answer}`;
  }
}

/** Tells the hooks about a result. Returns the messages of the hooks that failed. Never throws. */
export async function runPostToolUse(
  hooks: readonly PostToolUseHook[],
  event: PostToolUseEvent,
  signal: Signal,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const hook of hooks) {
    try {
      // After an interruption the hooks are still called, but nobody waits for them.
      await raceAbort((async () => hook(event))(), signal);
    } catch (error) {
      failures.push(`A PostToolUse hook failed after ${event.toolName}: ${messageOf(error)}`);
    }
  }
  return failures;
}
