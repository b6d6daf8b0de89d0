import type { JsonObject } from '../util/json';
import type { ToolOutcome } from './events';
import type { ToolResultBlock } from './messages';
import type { Signal } from './platform';

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
 * The answer of a PreToolUse hook. `undefined` means no opinion. Any other value that is no decision denies, `null` and `false` too.
 *
 * - `allow` may carry a narrowed plan, and `beforeRun`.
 * - `modify` replaces the input of the tool. It is validated and prepared again before the next hook sees it.
 * - `deny` stops the call. The model gets the reason.
 * - `wait` leaves the decision to an answer that comes later, maybe in another process. The run ends with the outcome `waiting`
 *   and can be saved: see `WaitingRun`. Later hooks are asked when it is resumed. Only in automatic runs; elsewhere it denies.
 */
export type PreToolUseDecision =
  | { readonly action: 'allow'; readonly plan?: unknown; readonly beforeRun?: BeforeRun | undefined }
  | { readonly action: 'modify'; readonly input: JsonObject }
  | { readonly action: 'deny'; readonly reason: string }
  | { readonly action: 'wait' };

/**
 * Called right before an allowed call runs if other calls were asked about or ran in between. Allows, maybe with a narrower plan, or
 * denies. Any other answer denies, and so does an exception.
 */
export type BeforeRun = () => PreToolUseDecision | Promise<PreToolUseDecision>;

/**
 * The answer of a UserPromptSubmit hook. `undefined` means no opinion, as `allow` does. `modifyPrompt` replaces the prompt, `deny` stops
 * it. Any other value denies, `null` and `false` too.
 */
export type UserPromptSubmitDecision =
  | { readonly action: 'allow' }
  | { readonly action: 'modifyPrompt'; readonly prompt: string }
  | { readonly action: 'deny'; readonly reason: string };

/** The answer of a hook of either event. A decision that the event does not know denies. */
export type HookDecision = PreToolUseDecision | Extract<UserPromptSubmitDecision, { readonly action: 'modifyPrompt' }>;

/** A hook's answer, now or later. `void` allows functions that return nothing. */
type Answer<Decision> = Decision | undefined | void | Promise<Decision | undefined | void>;

/** Decides about a call. `undefined`: no opinion. */
export type PreToolUseHook = (event: PreToolUseEvent) => Answer<HookDecision>;

/** Gets to know what a tool did. What it throws becomes a warning. */
export type PostToolUseHook = (event: PostToolUseEvent) => void | Promise<void>;

/** Decides about a prompt. `undefined`: no opinion. */
export type UserPromptSubmitHook = (event: UserPromptSubmitEvent) => Answer<HookDecision>;

/** Lets a run end (`undefined`), or sends the model a message. If it throws, the run ends with a warning. */
export type StopHook = (event: StopEvent) => Answer<StopDecision>;

/** Hooks by event, called in order. A PreToolUse or UserPromptSubmit hook that throws denies. */
export interface Hooks {
  readonly PreToolUse?: readonly PreToolUseHook[] | undefined;
  readonly PostToolUse?: readonly PostToolUseHook[] | undefined;
  readonly UserPromptSubmit?: readonly UserPromptSubmitHook[] | undefined;
  readonly Stop?: readonly StopHook[] | undefined;
}
