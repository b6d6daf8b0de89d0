import type { ModelLogger } from './modelLogger';

/** How a request is sent and its response read. */
export interface RequestOptions {
  /** How long the server may be silent, in milliseconds. `null`: no limit. Default: 60 seconds. */
  readonly silenceTimeoutMs?: number | null | undefined;
  readonly logger?: ModelLogger | undefined;
  readonly allowLenientToolJson?: boolean | undefined;
  /** Length of a pause within an answer that counts as stalled, in milliseconds. */
  readonly stalledAfterMs?: number | undefined;
  /** Wait before asking again while the server loads its model, in milliseconds. */
  readonly loadingRetryMs?: number | undefined;
  /** Makes ids for tool calls without one. */
  readonly newToolUseId?: (() => string) | undefined;
}
