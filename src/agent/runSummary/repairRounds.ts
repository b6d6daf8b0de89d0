import { listProblems } from '../../workspace/problems';
import type { SessionProblems } from '../../workspace/sessionProblems';
import { roundLine } from './roundHistory';

const MAX_ROUNDS = 3;
const MAX_FILES = 5;

/** Asks the model to mend the errors that its edits brought: a few times after each prompt. */
export class RepairRounds {
  readonly #problems: SessionProblems;
  #round = 0;
  /** How many errors there were at the last round. */
  #before: number | undefined;

  constructor(problems: SessionProblems) {
    this.#problems = problems;
  }

  /** A prompt begins a run. */
  begin(): void {
    this.#round = 0;
    this.#before = undefined;
    this.#problems.beginRun();
  }

  /** The message for the next round. `undefined`: there are no new errors, or there were enough rounds. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (this.#round === MAX_ROUNDS) return undefined;
    const files = await this.#problems.newErrors(signal);
    if (files.length === 0) return undefined;
    this.#round += 1;
    const count = files.reduce((sum, { errors }) => sum + errors.length, 0);
    const before = this.#before === undefined ? '' : ` Before this round: ${this.#before}.`;
    this.#before = count;
    const listed = files
      .slice(0, MAX_FILES)
      .map(({ displayPath, errors }) => `${displayPath}:\n${listProblems(errors)}`);
    if (files.length > MAX_FILES) listed.push(`and in ${files.length - MAX_FILES} more files`);
    const errors = count === 1 ? 'One error is' : `${count} errors are`;
    return [
      roundLine(this.#round, MAX_ROUNDS, `${errors} new in the files that you edited.${before}`),
      ...listed,
      'Fix this, or say why it should stay.',
    ].join('\n');
  }
}
