/** Runs asynchronous tasks one at a time, in the order in which they were given. */
export class TurnQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` after all earlier tasks, whether they succeeded or failed. Settles as `task` does. */
  run<T>(task: () => PromiseLike<T> | T): Promise<T> {
    const turn = this.#last.then(task);
    // An error belongs to the caller of its own task, not to the next task.
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when all tasks that were given so far have ended. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
