import type { AgentErrorInfo } from '../errors';
import type { StopReason, Usage } from '../messages';

/**
 * Receives every request to a model. Never gets a key. Contents are functions, so they cost nothing until read. Must
 * not throw.
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
  /** The request has ended. `ms` counts from `request`. `status` is absent without an answer. */
  response(info: {
    readonly url: string;
    readonly ms: number;
    readonly status?: number | undefined;
    readonly stopReason?: StopReason | undefined;
    readonly usage?: Usage | undefined;
    readonly error?: AgentErrorInfo | undefined;
    /** The received blocks, as JSON. */
    readonly content: () => string;
  }): void;
}
