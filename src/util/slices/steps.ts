import { Slices } from './slices';

/** Long work that yields after each small piece of it, and returns the result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How many tiny pieces of work are one step. A pause after each piece would take longer than the piece. */
export const PIECES_OF_STEP = 16;

/** Does all of the work at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the work without blocking for long. */
export async function runInSlices<T>(steps: Steps<T>, slices: Slices = new Slices()): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.isOver()) await slices.pause();
  }
}
