import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { AgentErrorInfo } from '../../sdk/errors';
import type { RunOutcome } from '../../sdk/events';

/** The result of a session's newest run. */
export interface LastRun {
  readonly follow: (event: SessionEvent) => void;
  /** `undefined` until a run has ended. */
  readonly outcome: RunOutcome | undefined;
  readonly error: AgentErrorInfo | undefined;
  /** The text of the last response; empty when there was none. */
  readonly answer: string;
}

export function followLastRun(): LastRun {
  let outcome: RunOutcome | undefined;
  let error: AgentErrorInfo | undefined;
  let answer = '';
  return {
    follow(event) {
      // The session failed before a run began.
      if (event.type === 'failed') {
        outcome = 'error';
        error = event.error;
      }
      if (event.type !== 'agent') return;
      switch (event.event.type) {
        case 'run_start':
          outcome = undefined;
          error = undefined;
          answer = '';
          return;
        case 'assistant_message':
          answer = event.event.message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
          return;
        case 'run_end':
          outcome = event.event.outcome;
          error = event.event.error;
          return;
        default:
          return;
      }
    },
    get outcome() {
      return outcome;
    },
    get error() {
      return error;
    },
    get answer() {
      return answer;
    },
  };
}
