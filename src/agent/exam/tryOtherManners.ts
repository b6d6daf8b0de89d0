import type { ExamManner, ExamResult, ExamTrial, TaskResult } from './results/examResult';
import type { ExamTask } from './examTask';
import { inManner, mannerOf, mannerWords } from './examManner';
import { runTask, type TaskParts } from './runTask';

export interface TrialParts extends TaskParts {
  readonly tasks: readonly ExamTask[];
}

export interface TrialOptions {
  readonly signal: AbortSignal;
  readonly tell: (doing: string) => Promise<void>;
}

/** How many tasks are done again for each manner. */
const TRIAL_TASKS = 4;

/**
 * Repeats a few tasks in other manners, if these may help: tools as text after calls that could not be read, no thinking for a
 * model that thinks, a low temperature where many edits failed. Aborting rejects.
 */
export async function tryOtherManners(
  result: ExamResult,
  parts: TrialParts,
  { signal, tell }: TrialOptions,
): Promise<readonly ExamTrial[]> {
  const trials: ExamTrial[] = [];
  for (const { manner, tasks } of mannersToTry(result, mannerOf(parts.configuration))) {
    const again: TaskResult[] = [];
    const chosen = tasks.flatMap(({ id }) => parts.tasks.filter((task) => task.id === id));
    for (const task of chosen) {
      signal.throwIfAborted();
      await tell(`${task.title} (${mannerWords(manner)})`);
      again.push(await runTask(task, { ...parts, configuration: inManner(parts.configuration, manner) }, signal));
    }
    trials.push({
      manner,
      tasks: again.length,
      solvedBefore: solvedOf(tasks),
      solved: solvedOf(again),
      tokensBefore: writtenOf(tasks),
      tokens: writtenOf(again),
    });
  }
  return trials;
}

/** The manners worth trying, each with the results of the tasks to do again. */
export function mannersToTry(
  { tasks }: Pick<ExamResult, 'tasks'>,
  now: ExamManner,
): readonly { readonly manner: ExamManner; readonly tasks: readonly TaskResult[] }[] {
  const judged = tasks.filter(({ verdict }) => verdict === 'solved' || verdict === 'failed');
  const failed = judged.filter(({ verdict }) => verdict === 'failed');
  const unread = failed.filter(({ wrongCalls }) => (wrongCalls.unreadable ?? 0) + (wrongCalls.prose ?? 0) > 0);
  const missed = failed.filter(({ wrongCalls }) => (wrongCalls.edit ?? 0) > 0);
  const thoughtful = judged.filter(({ thought }) => thought);
  const all = [
    {
      manner: { ...now, toolCalls: 'text' as const },
      tasks: now.toolCalls === 'native' && unread.length > 1 ? unread : [],
    },
    { manner: { ...now, temperature: 0.2 }, tasks: (now.temperature ?? 1) > 0.3 && missed.length > 1 ? missed : [] },
    { manner: { ...now, thinking: false }, tasks: now.thinking === false ? [] : thoughtful },
  ];
  return all
    .filter((each) => each.tasks.length > 0)
    .map(({ manner, tasks: found }) => ({ manner, tasks: found.slice(0, TRIAL_TASKS) }));
}

/** The best manner that an exam found; `undefined`: the one that was used. */
export function betterManner({ trials }: Pick<ExamResult, 'trials'>): ExamTrial | undefined {
  const gain = ({ solved, solvedBefore }: ExamTrial): number => solved - solvedBefore;
  const helpful = trials.filter((trial) => {
    // As good with much less writing is better too.
    const isShorter = gain(trial) === 0 && trial.tokens * 2 < trial.tokensBefore && trial.solved > 0;
    return gain(trial) > 0 || isShorter;
  });
  return [...helpful].sort((a, b) => gain(b) - gain(a))[0];
}

function solvedOf(tasks: readonly TaskResult[]): number {
  return tasks.filter(({ verdict }) => verdict === 'solved').length;
}

function writtenOf(tasks: readonly TaskResult[]): number {
  return tasks.reduce((sum, { tokensWritten }) => sum + tokensWritten, 0);
}
