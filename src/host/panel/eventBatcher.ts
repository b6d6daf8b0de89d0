import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { Disposable } from '../../util/disposable';
import type { SetTimer } from '../../util/timer';

const maxDelayMs = 50;

/**
 * Collects session events and delivers them about every 50 ms, in order. Joins neighbouring deltas of one block: a fast
 * model costs the panel twenty messages a second, not hundreds.
 */
export class EventBatcher implements Disposable {
  readonly #deliver: (events: readonly SessionEvent[]) => void;
  readonly #schedule: SetTimer;
  #events: SessionEvent[] = [];
  #timer: Disposable | undefined;

  constructor(parts: { readonly deliver: (events: readonly SessionEvent[]) => void; readonly schedule: SetTimer }) {
    this.#deliver = parts.deliver;
    this.#schedule = parts.schedule;
  }

  push(event: SessionEvent): void {
    const last = this.#events.at(-1);
    const joined = last && join(last, event);
    if (joined) this.#events[this.#events.length - 1] = joined;
    else this.#events.push(event);
    this.#timer ??= this.#schedule(() => this.flush(), maxDelayMs);
  }

  /** Delivers the waiting events at once. */
  flush(): void {
    const events = this.#events;
    this.clear();
    if (events.length > 0) this.#deliver(events);
  }

  /** Drops the waiting events: a snapshot already holds them. */
  clear(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#events = [];
  }

  dispose(): void {
    this.clear();
  }
}

/** Joins two neighbouring deltas where possible. The later time wins. */
function join(a: SessionEvent, b: SessionEvent): SessionEvent | undefined {
  if (a.type !== 'agent' || b.type !== 'agent') return undefined;
  const [first, second] = [a.event, b.event];
  if (first.type === 'text_delta' && second.type === 'text_delta' && first.block === second.block) {
    return { ...b, event: { ...second, text: first.text + second.text } };
  }
  if (first.type === 'thinking_delta' && second.type === 'thinking_delta' && first.block === second.block) {
    return { ...b, event: { ...second, text: first.text + second.text } };
  }
  if (first.type === 'tool_use_delta' && second.type === 'tool_use_delta' && first.id === second.id) {
    return { ...b, event: { ...second, argumentsDelta: first.argumentsDelta + second.argumentsDelta } };
  }
  if (
    first.type === 'tool_execution_progress' &&
    second.type === 'tool_execution_progress' &&
    first.toolUseId === second.toolUseId
  ) {
    return { ...b, event: { ...second, output: first.output + second.output } };
  }
  return undefined;
}
