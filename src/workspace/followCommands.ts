import type { CommandRunner } from './ports';

/** A command runner that knows which commands still run. */
export interface FollowedCommands extends CommandRunner {
  /** Resolves when every started command has ended, with all its processes. */
  settled(): Promise<void>;
}

/**
 * Follows the commands of `runner`. A stopped run does not wait for a command that ends slowly. But this process must wait
 * before it ends: it still has to kill commands that ignore TERM.
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
