import type { SetTimer } from '../../src/util/timer';

/** Delayed tasks that run when a test says so. */
export class ManualSchedule {
  #tasks: { readonly task: () => void; readonly delayMs: number }[] = [];

  readonly schedule: SetTimer = (task, delayMs) => {
    const entry = { task, delayMs };
    this.#tasks.push(entry);
    return { dispose: () => (this.#tasks = this.#tasks.filter((other) => other !== entry)) };
  };

  /** The delays of what waits. */
  get delays(): readonly number[] {
    return this.#tasks.map(({ delayMs }) => delayMs);
  }

  /** Runs what waits now, not what that schedules anew. */
  run(): void {
    for (const { task } of this.#tasks.splice(0)) task();
  }
}
