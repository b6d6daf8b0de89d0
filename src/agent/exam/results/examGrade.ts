import type { ExamGrade } from '../../view/server/examGrade';
import type { ExamResult, TaskResult } from './examResult';
import type { ExamTask } from '../examTask';
import type { WrongCallKind } from '../judge/runFacts';

/** The sums of an exam. */
export interface ExamTotals {
  readonly solved: number;
  /** Tasks that were run and judged. */
  readonly judged: number;
  readonly steps: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  readonly seconds: number;
  readonly wrongCalls: Readonly<Partial<Record<WrongCallKind, number>>>;
  /** The context window that the tasks needed, in tokens, rounded up. */
  readonly context: number;
}

export function totalsOf({ tasks }: Pick<ExamResult, 'tasks'>): ExamTotals {
  const judged = tasks.filter(({ verdict }) => verdict === 'solved' || verdict === 'failed');
  const sum = (value: (task: TaskResult) => number): number => judged.reduce((total, task) => total + value(task), 0);
  const wrongCalls: Partial<Record<WrongCallKind, number>> = {};
  for (const task of judged)
    for (const [kind, times] of Object.entries(task.wrongCalls))
      wrongCalls[kind as WrongCallKind] = (wrongCalls[kind as WrongCallKind] ?? 0) + times;
  return {
    solved: judged.filter(({ verdict }) => verdict === 'solved').length,
    judged: judged.length,
    steps: sum(({ steps }) => steps),
    tokensRead: sum(({ tokensRead }) => tokensRead),
    tokensWritten: sum(({ tokensWritten }) => tokensWritten),
    seconds: Math.round(sum(({ seconds }) => seconds)),
    wrongCalls,
    context: Math.ceil(Math.max(0, ...judged.map(({ context }) => context)) / 1024) * 1024,
  };
}

/** From this share of all tasks on, a model does the work. */
const WORK_SHARE = 0.75;
/** From this share of the tasks about one file on, it does small edits. */
const EDIT_SHARE = 0.6;
const FEWEST_TASKS = 5;

/** The grade of an exam; `undefined`: too few tasks were judged. */
export function gradeOf({ tasks }: Pick<ExamResult, 'tasks'>, all: readonly ExamTask[]): ExamGrade | undefined {
  const { solved, judged } = totalsOf({ tasks });
  if (judged < FEWEST_TASKS) return undefined;
  if (solved / judged >= WORK_SHARE) return 'does_the_work';
  const small = new Set(all.filter(({ group }) => group === 'edit' || group === 'find').map(({ id }) => id));
  const edits = totalsOf({ tasks: tasks.filter(({ id }) => small.has(id)) });
  return edits.judged > 0 && edits.solved / edits.judged >= EDIT_SHARE ? 'small_edits' : 'chat_only';
}
