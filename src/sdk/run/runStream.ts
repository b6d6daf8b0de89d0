import { AsyncQueue } from '../../util/async/asyncQueue';
import { runInterrupted } from '../abort';
import type { AgentEvent } from '../events';
import type { AgentExecutionResult, RunEvents } from '../executionResult';

/** Makes the events of a run: `emit` takes those that come in great number, the generator gives the others. */
export type Execute<Output> = (signal: AbortSignal, emit: (event: AgentEvent) => void) => RunEvents<Output>;

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
export class RunStream<Output = unknown> {
  readonly #controller = new AbortController();
  readonly #queue = new AsyncQueue<AgentEvent>();
  readonly #done: Promise<AgentExecutionResult<Output>>;
  #mayGoOn: (() => void) | undefined;

  readonly #options: RunStreamOptions;

  /** `execute` makes the events. They must end soon after its signal is aborted. */
  constructor(execute: Execute<Output>, options: RunStreamOptions) {
    this.#options = options;
    const emit = (event: AgentEvent): void => this.#queue.push(event);
    this.#done = this.#pump(execute(this.#controller.signal, emit)).finally(options.onEnd);
    this.#done.then(
      () => this.#queue.close(),
      (error: unknown) => this.#queue.fail(error),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Starts a run with the first event that is asked for. Gives its events to one reader. Leaving early, or an abort of
   * `signal`, interrupts the run. Rejects as `start` does.
   */
  static async *read<Output>(
    start: () => Promise<RunStream<Output>>,
    signal: AbortSignal | undefined,
  ): RunEvents<Output> {
    const run = await start();
    const onAbort = (): void => run.abort();
    if (signal?.aborted) run.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      for await (const event of run.#queue) {
        yield event;
        if (RECORDED.has(event.type)) run.#mayGoOn?.();
      }
      return await run.#done;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      run.abort();
      await run.ended();
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

  async #pump(events: RunEvents<Output>): Promise<AgentExecutionResult<Output>> {
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      const event = next.value;
      if (event.type === 'run_end') {
        // The reader of the end may start the next run at once.
        const last = await events.next();
        this.#options.onEnd();
        this.#queue.push(event);
        return last.value as AgentExecutionResult<Output>;
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
