/** A shorter look at a question is none: a key that was meant for something else must not answer it. */
const SHORTEST_LOOK_MS = 500;

/** Knows since when each question is on screen. */
export class QuestionSight {
  readonly #since = new Map<string, number>();

  /** The buttons of a question came into view, or left it. `nowMs`: of a clock that only runs forward. */
  note(requestId: string, isInView: boolean, nowMs: number): void {
    if (!isInView) this.#since.delete(requestId);
    else if (!this.#since.has(requestId)) this.#since.set(requestId, nowMs);
  }

  /** Whether the person could have read the question. */
  wasSeen(requestId: string, nowMs: number): boolean {
    const since = this.#since.get(requestId);
    return since !== undefined && nowMs - since >= SHORTEST_LOOK_MS;
  }
}
