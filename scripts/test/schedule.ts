import { addCounts, noCounts, type Counts } from './counts';
import type { Command, Stage } from './stages';

/** The number of parts that run at once. */
export interface Lanes {
  readonly all: number;
  /** The number of them that may show windows. Each window needs about one processor. */
  readonly windows: number;
}

export interface StageOutcome extends Counts {
  readonly name: string;
  /** From the start of its first part to the end of its last. */
  readonly seconds: number;
  /** The failed stage because of which this one did not run. */
  readonly missing?: string | undefined;
}

export interface ScheduleOptions {
  readonly lanes: Lanes;
  /** Runs one command to its end. `part` counts the parts of the stage from 0. */
  readonly run: (stage: Stage, part: number, command: Command) => Promise<Counts>;
  /** Called once for each stage, when all its parts have ended. */
  readonly onEnd: (stage: Stage, outcome: StageOutcome) => void;
}

interface StageState {
  readonly stage: Stage;
  /** The numbers of the parts that have not started. */
  readonly waiting: number[];
  running: number;
  startedMs: number;
  counts: Counts;
  outcome?: StageOutcome;
}

/**
 * Runs stages, as many parts at once as the lanes allow. A free lane takes the first part, in the order of the stages,
 * whose stage is ready. Resolves to one outcome for each stage, in their order. A stage fails without being run when a
 * stage that it needs has failed.
 */
export class Schedule {
  readonly #states: readonly StageState[];
  readonly #options: ScheduleOptions;

  constructor(stages: readonly Stage[], options: ScheduleOptions) {
    this.#options = options;
    for (const { name, parts } of stages) if (parts.length === 0) throw new Error(`The stage "${name}" has no parts.`);
    this.#states = stages.map((stage) => ({
      stage,
      waiting: stage.parts.map((_, index) => index),
      running: 0,
      startedMs: 0,
      counts: noCounts,
    }));
  }

  async run(): Promise<readonly StageOutcome[]> {
    const running = new Set<Promise<void>>();
    for (;;) {
      this.#skipWhatCannotRun();
      for (let state = this.#next(); state !== undefined; state = this.#next()) {
        const ended = this.#runNextPart(state).finally(() => running.delete(ended));
        running.add(ended);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    return this.#states.map(({ outcome, stage }) => {
      if (outcome === undefined) throw new Error(`The stage "${stage.name}" waits for itself.`);
      return outcome;
    });
  }

  /** The running stages, such as `lint, e2e (2 of 4 parts left)`. */
  describeRunning(): string {
    return this.#states
      .filter(({ running }) => running > 0)
      .map(({ stage, running, waiting }) =>
        stage.parts.length === 1
          ? stage.name
          : `${stage.name} (${running + waiting.length} of ${stage.parts.length} parts left)`,
      )
      .join(', ');
  }

  #next(): StageState | undefined {
    const busy = (states: readonly StageState[]) => states.reduce((sum, { running }) => sum + running, 0);
    if (busy(this.#states) >= this.#options.lanes.all) return undefined;
    const hasWindowLane = busy(this.#states.filter(({ stage }) => stage.hasWindows)) < this.#options.lanes.windows;
    return this.#states.find(
      ({ stage, waiting }) => waiting.length > 0 && this.#isReady(stage) && (hasWindowLane || !stage.hasWindows),
    );
  }

  #isReady(stage: Stage): boolean {
    const earlier = [...stage.needs, ...stage.after];
    return this.#states.every(({ stage: { name }, outcome }) => !earlier.includes(name) || outcome !== undefined);
  }

  #skipWhatCannotRun(): void {
    for (let hasSkipped = true; hasSkipped;) {
      hasSkipped = false;
      for (const state of this.#states) {
        const missing = this.#missingOf(state);
        if (missing === undefined) continue;
        // Stages before this one in the list may need it.
        hasSkipped = true;
        state.waiting.length = 0;
        const outcome = { name: state.stage.name, seconds: 0, passed: 0, failed: 1, skipped: 0 };
        this.#end(state, { ...outcome, missing });
      }
    }
  }

  /** The failed stage that a waiting stage needs. */
  #missingOf({ stage: { needs }, outcome, running }: StageState): string | undefined {
    if (outcome !== undefined || running > 0) return undefined;
    return this.#states.find(({ stage, outcome: its }) => needs.includes(stage.name) && (its?.failed ?? 0) > 0)?.stage
      .name;
  }

  async #runNextPart(state: StageState): Promise<void> {
    const part = state.waiting.shift() ?? 0;
    if (part === 0) state.startedMs = performance.now();
    state.running += 1;
    for (const command of state.stage.parts[part] ?? []) {
      const counts = await this.#options.run(state.stage, part, command);
      state.counts = addCounts(state.counts, counts);
      if (counts.failed > 0) break;
    }
    state.running -= 1;
    if (state.running > 0 || state.waiting.length > 0) return;
    const seconds = (performance.now() - state.startedMs) / 1000;
    this.#end(state, { name: state.stage.name, seconds, ...state.counts });
  }

  #end(state: StageState, outcome: StageOutcome): void {
    state.outcome = outcome;
    this.#options.onEnd(state.stage, outcome);
  }
}
