import type { AgentErrorInfo } from '../errors';
import type { StopReason, Usage } from '../messages';

/**
 * Hears of every request to a model. What it gets never holds a key; contents are functions, so that they cost nothing
 * unless somebody wants to read them. Must not throw.
 */
export interface ModelLogger {
  /** A request is about to be sent. `body` gives its JSON. */
  request(info: {
    readonly url: string;
    readonly model: string;
    readonly messageCount: number;
    readonly toolCount: number;
    readonly body: () => string;
  }): void;
  /** It has come to an end, whichever. `ms` counts from `request`; `status` is absent when no answer came. */
  response(info: {
    readonly url: string;
    readonly ms: number;
    readonly status?: number | undefined;
    readonly stopReason?: StopReason | undefined;
    readonly usage?: Usage | undefined;
    readonly error?: AgentErrorInfo | undefined;
    /** The blocks that were received, as JSON. */
    readonly content: () => string;
  }): void;
}
