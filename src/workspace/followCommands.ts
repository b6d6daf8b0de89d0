import type { CommandRunner } from './ports';

/** A command runner that knows what it still runs. */
export interface FollowedCommands extends CommandRunner {
  /** Resolves when every command that was started has ended, and what it left running with it. */
  settled(): Promise<void>;
}

/**
 * Follows the commands of `runner`. A run that is stopped goes on without a command that takes its time to end; whoever
 * ends the process must not, or nobody would be there to kill what does not heed TERM.
 */
export function followCommands(runner: CommandRunner): FollowedCommands {
  const running = new Set<Promise<unknown>>();
  return {
    shellName: runner.shellName,
    run(request, options) {
      const outcome = runner.run(request, options);
      const ended = outcome.finally(() => running.delete(ended));
      running.add(ended);
      return outcome;
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
