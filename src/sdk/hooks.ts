import type { JsonObject } from '../util/json';
import type { ToolOutcome } from './events';
import type { ToolResultBlock } from './messages';

/** Before a tool runs. `plan` is what the tool prepared: what executes is exactly this, unless a hook narrows it. */
export interface PreToolUseEvent {
  readonly type: 'PreToolUse';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: JsonObject;
  readonly plan: unknown;
  readonly signal: AbortSignal;
}

/** After a tool ran, with its result as the model will get it. */
export interface PostToolUseEvent {
  readonly type: 'PostToolUse';
  readonly toolName: string;
  readonly toolUseId: string;
  readonly input: JsonObject;
  readonly outcome: ToolOutcome;
  readonly result: ToolResultBlock;
}

/** Before a prompt is added to the history. Does not fire for continuations after tools. */
export interface UserPromptSubmitEvent {
  readonly type: 'UserPromptSubmit';
  readonly prompt: string;
}

/**
 * What a hook says. Nothing (`undefined`) means: no opinion, go on.
 * `modify` replaces the tool's input, which is validated and prepared again and seen by the next hook; for a prompt,
 * `modifyPrompt` replaces the text. `allow` may carry a narrowed plan. `deny` stops.
 */
export type HookDecision =
  | { readonly action: 'allow'; readonly plan?: unknown }
  | { readonly action: 'modify'; readonly input: JsonObject }
  | { readonly action: 'modifyPrompt'; readonly prompt: string }
  | { readonly action: 'deny'; readonly reason: string };

type HookAnswer = HookDecision | undefined | void;

export type PreToolUseHook = (event: PreToolUseEvent) => HookAnswer | Promise<HookAnswer>;
export type PostToolUseHook = (event: PostToolUseEvent) => void | Promise<void>;
export type UserPromptSubmitHook = (event: UserPromptSubmitEvent) => HookAnswer | Promise<HookAnswer>;

/** Hooks by event, run in order. A PreToolUse or UserPromptSubmit hook that throws denies. */
export interface Hooks {
  readonly PreToolUse?: readonly PreToolUseHook[] | undefined;
  readonly PostToolUse?: readonly PostToolUseHook[] | undefined;
  readonly UserPromptSubmit?: readonly UserPromptSubmitHook[] | undefined;
}
