import * as l10n from '../../../util/l10n';
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
  const wrong = Object.entries(totals.wrongCalls).map(([kind, count]) => `${count} ${wrongWords(kind)}`);
  const better = betterManner(result);
  const notRun = tasks.filter(({ verdict }) => verdict === 'not_run').length;
  const lines = [
    `${model}: ${summary ? examLine(summary) : solvedText(totals.solved, totals.judged, isComplete)}`,
    ...(server === undefined ? [] : [l10n.t('Server: {0}', server)]),
    seed === coreSeed
      ? l10n.t('Tasks: the common set, asked with {0}', mannerWords(result.manner))
      : l10n.t('Tasks: held-out set {0}, asked with {1}', seed, mannerWords(result.manner)),
    l10n.t(
      'Steps: {0} · tokens read: {1} · tokens written: {2} · {3} s',
      totals.steps,
      totals.tokensRead,
      totals.tokensWritten,
      totals.seconds,
    ),
    l10n.t('Wrong calls: {0}', wrong.length === 0 ? l10n.t('none') : wrong.join(', ')),
    l10n.t('Context needed: {0} tokens', totals.context),
    ...trials.map((trial) =>
      l10n.t(
        'With {0}: {1} of {2} tasks solved in place of {3}, {4} tokens written in place of {5}',
        mannerWords(trial.manner),
        trial.solved,
        trial.tasks,
        trial.solvedBefore,
        trial.tokens,
        trial.tokensBefore,
      ),
    ),
    l10n.t('Better settings: {0}', better ? mannerWords(better.manner) : l10n.t('none found')),
    ...(notRun === 0 ? [] : [l10n.t('Not run: {0}, because programs cannot be confined on this machine', notRun)]),
    ...(confinement === 'node' ? [l10n.t("Programs were confined by Node's permissions only.")] : []),
    '',
    ...taskLines(tasks, examTasks(seed)),
  ];
  return `${lines.join('\n')}\n`;
}

function solvedText(solved: number, tasks: number, isComplete: boolean): string {
  return isComplete ? l10n.t('{0} of {1}', solved, tasks) : l10n.t('{0} of {1}, not finished', solved, tasks);
}

function wrongWords(kind: string): string {
  switch (kind) {
    case 'unreadable':
      return l10n.t('unreadable');
    case 'unknown':
      return l10n.t('of unknown tools');
    case 'path':
      return l10n.t('with a wrong path or pattern');
    case 'edit':
      return l10n.t('edits that did not fit');
    case 'refused':
      return l10n.t('refused');
    case 'prose':
      return l10n.t('written in words');
    case 'other':
      return l10n.t('others');
    default:
      return kind;
  }
}

function taskLines(results: readonly TaskResult[], tasks: readonly ExamTask[]): readonly string[] {
  return results.map((result) => {
    const task = tasks.find(({ id }) => id === result.id);
    return `${taskLine(result, task)}`;
  });
}

/** One task as a line, such as `solved  Fix a failing test (JavaScript), 3 steps, 2.1 s`. */
export function taskLine({ id, verdict, why, steps, seconds }: TaskResult, task: ExamTask | undefined): string {
  const name = task ? `${task.title} (${task.language})` : id;
  const word = `${verdictText(verdict).padEnd(7)} `;
  const effort =
    steps === 1 ? l10n.t('{0}, 1 step, {1} s', name, seconds) : l10n.t('{0}, {1} steps, {2} s', name, steps, seconds);
  return `${word}${effort}${why === undefined ? '' : `: ${why}`}`;
}

function verdictText(verdict: TaskResult['verdict']): string {
  switch (verdict) {
    case 'solved':
      return l10n.t('solved');
    case 'failed':
      return l10n.t('failed');
    case 'not_run':
      return l10n.t('not run');
    case 'error':
      return l10n.t('error');
  }
}
