import type { ModelRequest } from '../model/modelProvider';
import type { Signal } from '../platform';

/**
 * Counts the tokens of a prompt as the server does. Resolves to `undefined` when it cannot or `signal` is aborted.
 * Must not reject.
 */
export type CountTokens = (request: ModelRequest, options: { readonly signal: Signal }) => Promise<number | undefined>;

/** When and how a conversation is compacted. */
export interface CompactionOptions {
  /**
   * Size of the context window in tokens, at least 512; a function is called before every request. Absent or `undefined`:
   * learned from the server when it refuses a request. A learned size replaces a given one.
   */
  readonly contextWindow?: number | (() => number | undefined) | undefined;
  /** Counts a prompt exactly when the window is nearly full. Absent: the estimate decides. */
  readonly countTokens?: CountTokens | undefined;
  /** How full the window may get before it is compacted, from 0.3 to 0.95. Default: 0.75. */
  readonly threshold?: number | undefined;
  /** Share of the window for the newest messages, from 0 to 0.5. Default: 0.25. */
  readonly keep?: number | undefined;
  /** Replaces the built-in request for a summary. */
  readonly instruction?: string | undefined;
  /** Says, for people, how to start the server with a window of so many tokens. Absent: general words. */
  readonly windowAdvice?: ((tokens: number) => string) | undefined;
  /** Gets the size in tokens to which the window was lowered, after a server dropped the start of prompts twice. */
  readonly onSmallerWindow?: ((tokens: number) => void) | undefined;
}
