import { AgentError } from '../errors';
import type { RunEvents } from '../executionResult';
import { RunStream, type Execute } from './runStream';

interface RunSlotOptions {
  /** Whether the caller's tools run within a run. Then only its reader can end it, so nobody waits for its end. */
  readonly isAutomatic: boolean;
  /** Called when a run has begun. */
  readonly onStart: () => void;
  /** Called once or twice when it is over, before its reader gets the end. */
  readonly onEnd: () => void;
}

/** The place of the one run that a client executes at a time, until the client is closed. */
export class RunSlot<Output> {
  readonly #options: RunSlotOptions;
  #active: RunStream<Output> | undefined;
  #isClosed = false;

  constructor(options: RunSlotOptions) {
    this.#options = options;
  }

  get isTaken(): boolean {
    return this.#active !== undefined;
  }

  /**
   * The events of a run that begins with the first one that is asked for. Leaving early, or an abort of `signal`, interrupts at once.
   * Rejects as `becomeIdle` and `execute` do, and with `busy` while another run executes.
   */
  stream(execute: Execute<Output>, signal: AbortSignal | undefined): RunEvents<Output> {
    return RunStream.read(() => this.#start(execute), signal);
  }

  /** Waits for the end of a run that ends without its reader. Rejects with `busy` while another run executes. */
  async becomeIdle(): Promise<void> {
    this.assertOpen();
    if (this.#active && this.#options.isAutomatic) throw busy();
    await this.#active?.ended();
    this.assertOpen();
  }

  /** Ends the run. Resolves when it has ended, to whether there is none now. */
  async interrupt(): Promise<boolean> {
    const active = this.#active;
    active?.abort();
    await active?.ended();
    return this.#active === undefined;
  }

  /** Lets no further run begin. */
  close(): void {
    this.#isClosed = true;
  }

  /** Throws `invalid_state` after `close`. */
  assertOpen(): void {
    if (!this.#isClosed) return;
    const message = 'The client is closed. Make a new one; its history can be passed on.';
    throw new AgentError({ code: 'invalid_state', message });
  }

  async #start(execute: Execute<Output>): Promise<RunStream<Output>> {
    const { isAutomatic, onStart, onEnd } = this.#options;
    await this.becomeIdle();
    if (this.#active) throw busy();
    const run = new RunStream(execute, {
      waitsForReader: isAutomatic,
      onEnd: () => {
        if (this.#active !== run) return;
        this.#active = undefined;
        onEnd();
      },
    });
    this.#active = run;
    onStart();
    return run;
  }
}

function busy(): AgentError {
  return new AgentError({ code: 'busy', message: 'A run is executing. Wait for its end, or use steer or interrupt.' });
}
