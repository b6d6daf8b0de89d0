import { isReadingProtected } from '../../../src/workspace/paths/protectedPaths';
import { assessCommand } from '../../../src/workspace/shell/assessCommand';
import type { RunGit } from '../../../src/workspace/shell/gitSafety';
import { commandPlan, commandWorld } from '../commands/commandWorld';
import type { LeakWorld } from './world';

/** The commands that run without a question in the world's workspace. */
export async function keepUnasked(
  commands: readonly string[],
  { workspace, environment }: Pick<LeakWorld, 'workspace' | 'environment'>,
): Promise<string[]> {
  const machine = commandWorld(workspace, environment);
  // Nothing changes in between, so git is asked each question once.
  const answers = new Map<string, ReturnType<RunGit>>();
  const runGit: RunGit = (args, options) => {
    const key = JSON.stringify([args, options.cwd]);
    const answer = answers.get(key) ?? machine.runGit(args, options);
    answers.set(key, answer);
    return answer;
  };
  const kept: string[] = [];
  for (const command of commands) {
    const world = { ...machine, runGit, isProtected: isReadingProtected };
    const { action } = await assessCommand(commandPlan(command, workspace), [], world);
    if (action === 'allow') kept.push(command);
  }
  return kept;
}
