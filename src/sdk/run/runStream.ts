import { AsyncQueue } from '../../util/asyncQueue';
import { runInterrupted } from '../abort';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';

type Events = AsyncGenerator<AgentEvent, AgentExecutionResult>;

export interface RunStreamOptions {
  /** Whether the run waits at each message, call and result until its event has been read. */
  readonly waitsForReader: boolean;
  /** Called once or twice when the run is over, before the reader gets the end. */
  readonly onEnd: () => void;
}

/**
 * An executing run. It goes on without a reader, so `interrupt` works even inside the loop that reads. After a message, a
 * call or a result it waits until the reader asks for the next event. Meanwhile the reader can record it: no tool runs
 * and no request is sent before.
 */
export class RunStream {
  readonly #controller = new AbortController();
  readonly #queue = new AsyncQueue<AgentEvent>();
  readonly #done: Promise<AgentExecutionResult>;
  #mayGoOn: (() => void) | undefined;

  readonly #options: RunStreamOptions;

  /** `execute` makes the events. They must end soon after its signal is aborted. */
  constructor(execute: (signal: AbortSignal) => Events, options: RunStreamOptions) {
    this.#options = options;
    this.#done = this.#pump(execute(this.#controller.signal)).finally(options.onEnd);
    this.#done.then(
      () => this.#queue.close(),
      (error: unknown) => this.#queue.fail(error),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The events, for one reader. Leaving early, or an abort of `signal`, interrupts the run. */
  async *read(signal: AbortSignal | undefined): Events {
    const onAbort = (): void => this.abort();
    if (signal?.aborted) this.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      for await (const event of this.#queue) {
        yield event;
        if (RECORDED.has(event.type)) this.#mayGoOn?.();
      }
      return await this.#done;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.abort();
      await this.ended();
    }
  }

  abort(): void {
    this.#controller.abort(runInterrupted());
    this.#mayGoOn?.();
  }

  /** Resolves when the run has ended. Never rejects. */
  async ended(): Promise<void> {
    await this.#done.then(
      () => undefined,
      () => undefined,
    );
  }

  async #pump(events: Events): Promise<AgentExecutionResult> {
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      const event = next.value;
      if (event.type === 'run_end') {
        // The reader of the end may start the next run at once.
        const last = await events.next();
        this.#options.onEnd();
        this.#queue.push(event);
        return last.value as AgentExecutionResult;
      }
      const taken = this.#mustWaitAfter(event) ? new Promise<void>((resolve) => (this.#mayGoOn = resolve)) : undefined;
      this.#queue.push(event);
      await taken;
    }
  }

  #mustWaitAfter(event: AgentEvent): boolean {
    return this.#options.waitsForReader && RECORDED.has(event.type) && !this.signal.aborted;
  }
}

/** The events that a session writes before the run goes on. */
const RECORDED: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'user_message',
  'assistant_message',
  'tool_execution_start',
  'tool_execution_end',
]);
