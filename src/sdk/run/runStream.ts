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
  readonly #queue = new AsyncQueue<AgentEvent, unknown>();
  readonly #done: Promise<AgentExecutionResult<Output>>;
  #mayGoOn: (() => void) | undefined;

  readonly #options: RunStreamOptions;

  /** `execute` makes the events. They must end soon after its signal is aborted. */
  constructor(execute: Execute<Output>, options: RunStreamOptions) {
    this.#options = options;
    const emit = (event: AgentEvent): void => this.#queue.push(event);
    this.#done = this.#pump(execute(this.#controller.signal, emit)).finally(options.onEnd);
    this.#done.then(
      (result) => this.#queue.close(result),
      (error: unknown) => this.#queue.fail(error),
    );
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Starts a run with the first event that is asked for. Gives its events to one reader. Leaving early, or an abort of
   * `signal`, interrupts the run at once. Rejects as `start` does.
   */
  static read<Output>(start: () => Promise<RunStream<Output>>, signal: AbortSignal | undefined): RunEvents<Output> {
    return new RunReader(async () => {
      const run = await start();
      const onAbort = (): void => run.abort();
      if (signal?.aborted) run.abort();
      signal?.addEventListener('abort', onAbort, { once: true });
      void run.ended().then(() => signal?.removeEventListener('abort', onAbort));
      return run;
    });
  }

  /** Whether the reader waits for an event. */
  get isAwaited(): boolean {
    return this.#queue.isAwaited;
  }

  /** The next event, for the reader. It has read those before. */
  next(): Promise<IteratorResult<AgentEvent, AgentExecutionResult<Output>>> {
    if (this.#queue.isEmpty) this.#mayGoOn?.();
    // The value at the end is `undefined` only for a reader that asks again.
    return this.#queue.next() as Promise<IteratorResult<AgentEvent, AgentExecutionResult<Output>>>;
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
      this.#queue.push(event);
      if (this.#mustWaitAfter(event)) await new Promise<void>((resolve) => (this.#mayGoOn = resolve));
    }
  }

  #mustWaitAfter(event: AgentEvent): boolean {
    const isAskedForMore = this.#queue.isAwaited;
    return this.#options.waitsForReader && RECORDED.has(event.type) && !isAskedForMore && !this.signal.aborted;
  }
}

/** The events of a run, for one reader. No generator: it would cost each event several promises. */
class RunReader<Output> implements RunEvents<Output> {
  readonly #start: () => Promise<RunStream<Output>>;
  #starting: Promise<RunStream<Output>> | undefined;
  #run: RunStream<Output> | undefined;
  #isOver = false;

  constructor(start: () => Promise<RunStream<Output>>) {
    this.#start = start;
  }

  next(): Promise<IteratorResult<AgentEvent, AgentExecutionResult<Output>>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined as never });
    if (this.#run) return this.#run.next();
    this.#starting ??= this.#start();
    return this.#starting.then(
      (run) => {
        this.#run = run;
        return run.next();
      },
      (error: unknown) => {
        this.#isOver = true;
        throw error;
      },
    );
  }

  async return(value: AgentExecutionResult<Output> | PromiseLike<AgentExecutionResult<Output>>) {
    await this.#leave();
    return { done: true, value: await value } as const;
  }

  async throw(error: unknown): Promise<never> {
    await this.#leave();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const run = await this.#starting?.catch(() => undefined);
    // A reader that leaves at the first call of a response may still answer the others. They come in the same turn, unless a hook waits.
    if (run?.isAwaited === false) await new Promise<void>((resolve) => setImmediate(resolve));
    run?.abort();
    await run?.ended();
    this.#isOver = true;
  }
}

/** The events that a session writes before the run goes on. */
const RECORDED: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'user_message',
  'assistant_message',
  'tool_execution_start',
  'tool_execution_end',
]);
