import * as l10n from '../../util/l10n';
import type { SessionEntry } from '../../sdk/session/entries';

/** Since this round began there are more errors than before. */
export interface WorseRound {
  /** Counted from 1. */
  readonly round: number;
  readonly before: number;
  readonly after: number;
}

/** Remembers how many errors there were before each round of a run, whatever the round was for. */
export class RoundHistory {
  readonly #count: (signal: AbortSignal) => Promise<number>;
  /** At the start of each round. */
  #errors: readonly number[] = [];

  /** `count`: how many errors are new in the session now. */
  constructor(count: (signal: AbortSignal) => Promise<number>) {
    this.#count = count;
  }

  /** A prompt begins a run. */
  begin(): void {
    this.#errors = [];
  }

  /** A round begins. */
  async startRound(signal: AbortSignal): Promise<void> {
    this.#errors = [...this.#errors, await this.#count(signal)];
  }

  /** The newest round with the fewest errors before it, if there are more now. */
  async findWorse(signal: AbortSignal): Promise<WorseRound | undefined> {
    if (this.#errors.length === 0) return undefined;
    const after = await this.#count(signal);
    const before = Math.min(...this.#errors);
    return after > before ? { round: this.#errors.lastIndexOf(before) + 1, before, after } : undefined;
  }
}

/** The first line of a message that begins a round. */
export function roundLine(round: number, most: number, rest: string): string {
  return `Round ${round} of ${most}: ${rest}`;
}

/** The entry that began a round of the newest run; `undefined`: there is none. `entries`: of the session. */
export function roundEntry(entries: readonly SessionEntry[], round: number): SessionEntry | undefined {
  const start = entries.findLastIndex((entry) => entry.type === 'user_message' && entry.origin === 'prompt');
  return entries
    .slice(start + 1)
    .find(
      (entry) =>
        entry.type === 'user_message' && entry.origin === 'hook' && entry.content.startsWith(`Round ${round} of `),
    );
}

/** For people. */
export function worseText({ round, before, after }: WorseRound): string {
  return l10n.t('Errors grew from {0} to {1} since round {2} of the repair began.', before, after, round);
}
