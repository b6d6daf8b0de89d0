import type { ExamSummary } from '../../view/server/examGrade';
import { examLine } from '../../view/server/examGrade';
import { mannerWords } from '../examManner';
import type { ExamTask } from '../examTask';
import { coreSeed, examTasks } from '../tasks/examTasks';
import { betterManner } from '../tryOtherManners';
import { gradeOf, totalsOf } from './examGrade';
import type { ExamResult, TaskResult } from './examResult';

/** The result for the entry of a model in a menu; `undefined`: there is none yet. */
export function examSummaryOf(result: ExamResult): ExamSummary | undefined {
  const grade = gradeOf(result, examTasks(result.seed));
  if (!grade || !result.isComplete) return undefined;
  const { solved, judged } = totalsOf(result);
  const { date, quantisation } = result;
  return {
    grade,
    date: date.slice(0, 10),
    solved,
    tasks: judged,
    ...(quantisation !== undefined && { quantisation }),
  };
}

/** The result as plain text, with lines of a fixed order. Quotes the server: show it as text. */
export function examReport(result: ExamResult): string {
  const { model, server, tasks, trials, seed, isComplete, confinement } = result;
  const totals = totalsOf(result);
  const summary = examSummaryOf(result);
  const wrong = Object.entries(totals.wrongCalls).map(([kind, count]) => `${count} ${WRONG_WORDS[kind] ?? kind}`);
  const better = betterManner(result);
  const notRun = tasks.filter(({ verdict }) => verdict === 'not_run').length;
  const lines = [
    `${model}: ${summary ? examLine(summary) : `${totals.solved} of ${totals.judged}${isComplete ? '' : ', not finished'}`}`,
    ...(server === undefined ? [] : [`Server: ${server}`]),
    `Tasks: ${seed === coreSeed ? 'the common set' : `held-out set ${seed}`}, asked with ${mannerWords(result.manner)}`,
    `Steps: ${totals.steps} · tokens read: ${totals.tokensRead} · tokens written: ${totals.tokensWritten} · ${totals.seconds} s`,
    `Wrong calls: ${wrong.length === 0 ? 'none' : wrong.join(', ')}`,
    `Context needed: ${totals.context} tokens`,
    ...trials.map(
      (trial) =>
        `With ${mannerWords(trial.manner)}: ${trial.solved} of ${trial.tasks} tasks solved in place of ${trial.solvedBefore}, ${trial.tokens} tokens written in place of ${trial.tokensBefore}`,
    ),
    `Better settings: ${better ? mannerWords(better.manner) : 'none found'}`,
    ...(notRun === 0 ? [] : [`Not run: ${notRun}, because programs cannot be confined on this machine`]),
    ...(confinement === 'node' ? ["Programs were confined by Node's permissions only."] : []),
    '',
    ...taskLines(tasks, examTasks(seed)),
  ];
  return `${lines.join('\n')}\n`;
}

const WRONG_WORDS: Readonly<Record<string, string>> = {
  unreadable: 'unreadable',
  unknown: 'of unknown tools',
  path: 'with a wrong path or pattern',
  edit: 'edits that did not fit',
  refused: 'refused',
  prose: 'written in words',
  other: 'others',
};

function taskLines(results: readonly TaskResult[], tasks: readonly ExamTask[]): readonly string[] {
  return results.map((result) => {
    const task = tasks.find(({ id }) => id === result.id);
    return `${taskLine(result, task)}`;
  });
}

/** One task as a line, such as `solved  Fix a failing test (JavaScript), 3 steps, 2.1 s`. */
export function taskLine({ id, verdict, why, steps, seconds }: TaskResult, task: ExamTask | undefined): string {
  const name = task ? `${task.title} (${task.language})` : id;
  const word = VERDICTS[verdict].padEnd(8);
  return `${word}${name}, ${steps} ${steps === 1 ? 'step' : 'steps'}, ${seconds} s${why === undefined ? '' : `: ${why}`}`;
}

const VERDICTS = { solved: 'solved', failed: 'failed', not_run: 'not run', error: 'error' } as const;
