import type { FindCheck } from './findCheck';
import { roundLine } from './roundHistory';
import type { RunFacts } from './runFacts';

const MAX_ROUNDS = 3;

/**
 * Has the model run the person's check command after its edits, a few times after each prompt. What counts is the exit code on
 * file, never what the model says.
 */
export class CheckRounds {
  readonly #command: (signal: AbortSignal) => Promise<string | undefined>;
  #round = 0;

  /** `command`: asks the person if they have chosen none; `undefined`: they want none. */
  constructor(command: (signal: AbortSignal) => Promise<string | undefined>) {
    this.#command = command;
  }

  /** A prompt begins a run. */
  begin(): void {
    this.#round = 0;
  }

  /**
   * The message for the next round. `undefined`: the run changed nothing, the check passed after the last change, or there
   * were enough rounds.
   */
  async next(facts: RunFacts | undefined, signal: AbortSignal): Promise<string | undefined> {
    if (!facts || this.#round === MAX_ROUNDS) return undefined;
    const command = await this.#command(signal);
    if (command === undefined || signal.aborted || hasPassed(facts, command)) return undefined;
    this.#round += 1;
    const last = lastRun(facts, command);
    const state =
      last === undefined
        ? 'the check has not run since your edits'
        : last.changedAfter !== undefined
          ? 'the check ran before your last change'
          : `the check ended ${last.exitCode === null ? 'before it was done' : `with exit code ${last.exitCode}`}`;
    return [
      roundLine(this.#round, MAX_ROUNDS, `${state}.`),
      `Run exactly this with run_terminal_command: ${command}`,
      'Fix what fails, and run it again until it passes. If it cannot pass, say why.',
    ].join('\n');
  }
}

/** Whether the command ran after the last change of the run, with exit code 0. */
function hasPassed(facts: RunFacts, command: string): boolean {
  const last = lastRun(facts, command);
  return last?.exitCode === 0 && last.changedAfter === undefined;
}

/** In the workspace folder itself: elsewhere it is another check. */
function lastRun({ commands }: RunFacts, command: string): RunFacts['commands'][number] | undefined {
  return commands.findLast((ran) => ran.command.trim() === command && TOP.has(ran.cwd));
}

const TOP: ReadonlySet<string> = new Set(['.', './', '']);

/** Counts the person's command as a check, whatever it is. `command`: the one that they have chosen. */
export function withCheckCommand(find: FindCheck, command: () => string | undefined): FindCheck {
  return async (given, cwd) => {
    const found = await find(given, cwd);
    return found ?? (given.trim() === command() ? { kinds: ['checks'], isExitUnsure: false } : undefined);
  };
}
