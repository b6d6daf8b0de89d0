import type { SetTimer } from '../../src/util/timer';

/** Delayed tasks that run when a test says so. All tests use this clock. */
export class ManualSchedule {
  #tasks: { readonly task: () => void; readonly delayMs: number }[] = [];

  readonly schedule: SetTimer = (task, delayMs) => {
    const entry = { task, delayMs };
    this.#tasks.push(entry);
    return { dispose: () => (this.#tasks = this.#tasks.filter((other) => other !== entry)) };
  };

  /** The delays of the waiting tasks, in milliseconds. */
  get delays(): readonly number[] {
    return this.#tasks.map(({ delayMs }) => delayMs);
  }

  /** Runs the waiting tasks, or only those with this delay. Tasks that they schedule wait for the next call. */
  run(delayMs?: number): void {
    const due = this.#tasks.filter((entry) => delayMs === undefined || entry.delayMs === delayMs);
    this.#tasks = this.#tasks.filter((entry) => !due.includes(entry));
    for (const { task } of due) task();
  }
}
