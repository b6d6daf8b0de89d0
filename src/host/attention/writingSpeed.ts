import type { SessionEvent } from '../../agent/view/sessionEvents';
import { estimateTokens } from '../../sdk/context/tokenCount';

/** Before that the speed jumps. */
const SHORTEST_MS = 1_000;

/** Estimates from the streamed text how fast a response is written. Servers count only at its end. */
export class WritingSpeed {
  #startedMs: number | undefined;
  #lastMs = 0;
  #tokens = 0;

  add(event: SessionEvent): void {
    if (event.type !== 'agent') return;
    const text = writtenText(event.event);
    if (text === undefined) return;
    if (text === null) {
      this.#startedMs = undefined;
      this.#tokens = 0;
      return;
    }
    this.#lastMs = event.ts;
    // The first piece was written before the clock starts.
    if (this.#startedMs === undefined) this.#startedMs = event.ts;
    else this.#tokens += estimateTokens(text);
  }

  /** `undefined`: nothing is being written, or not for long enough. */
  get tokensPerSecond(): number | undefined {
    const elapsedMs = this.#startedMs === undefined ? 0 : this.#lastMs - this.#startedMs;
    return elapsedMs >= SHORTEST_MS && this.#tokens > 0 ? (this.#tokens / elapsedMs) * 1_000 : undefined;
  }
}

/** `null`: a new response begins, or one is complete. `undefined`: the event is about something else. */
function writtenText(event: Extract<SessionEvent, { type: 'agent' }>['event']): string | null | undefined {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
      return event.text;
    case 'tool_use_delta':
      return event.argumentsDelta;
    case 'step_start':
    case 'assistant_message':
    case 'run_end':
      return null;
    default:
      return undefined;
  }
}
