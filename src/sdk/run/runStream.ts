import { AsyncQueue } from '../../util/asyncQueue';
import { runInterrupted } from '../abort';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult } from '../executionResult';

type Events = AsyncGenerator<AgentEvent, AgentExecutionResult>;

export interface RunStreamOptions {
  /** Whether a tool waits until its `tool_execution_start` has been read. */
  readonly toolsWaitForReader: boolean;
  /** Called once or twice when the run is over, before the reader gets the end. */
  readonly onEnd: () => void;
}

/**
 * An executing run. It goes on without a reader, so `interrupt` works even inside the loop that reads. A tool waits
 * until the reader has taken its `tool_execution_start` and asks for the next event. Meanwhile the reader can record
 * the intent.
 */
export class RunStream {
  readonly #controller = new AbortController();
  readonly #queue = new AsyncQueue<AgentEvent>();
  readonly #done: Promise<AgentExecutionResult>;
  #toolMayStart: (() => void) | undefined;

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
        if (event.type === 'tool_execution_start') this.#toolMayStart?.();
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
    this.#toolMayStart?.();
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
      const taken = this.#mustWaitAfter(event)
        ? new Promise<void>((resolve) => (this.#toolMayStart = resolve))
        : undefined;
      this.#queue.push(event);
      await taken;
    }
  }

  #mustWaitAfter(event: AgentEvent): boolean {
    return this.#options.toolsWaitForReader && event.type === 'tool_execution_start' && !this.signal.aborted;
  }
}
