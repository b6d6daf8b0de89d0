import type { Message } from '../messages';
import type { WaitingCall } from './waitingCall';

/**
 * A run that waits for answers, as plain JSON. Save it with `JSON.stringify`, read it with `parseWaitingRun`, and go on with
 * `Client.resumeRun`, in this process or another one.
 */
export interface WaitingRun {
  readonly format: 'open-agent-waiting-run';
  readonly version: 1;
  /** The calls to decide, in order. */
  readonly calls: readonly WaitingCall[];
  /** The conversation. The last calls have no result yet. */
  readonly history: readonly Message[];
}

/** A run as it is saved. */
export function waitingRun(calls: readonly WaitingCall[], history: readonly Message[]): WaitingRun {
  return { format: 'open-agent-waiting-run', version: 1, calls, history };
}
