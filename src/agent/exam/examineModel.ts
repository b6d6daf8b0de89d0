import type { AgentConfiguration } from '../configuration/chooseAgent';
import type { ModelAccess } from '../servers/access/modelAccess';
import { createCheckRunner, type CheckRunner } from './judge/checkRunner';
import { mannerOf } from './examManner';
import { isSameExam, type ExamResult, type TaskResult } from './results/examResult';
import type { ExamTask } from './examTask';
import { quantisationOf } from './results/quantisation';
import { runTask } from './runTask';
import { examTasks, taskVersion } from './tasks/examTasks';
import { tryOtherManners } from './tryOtherManners';

export interface ExamParts {
  /** With server and model; the sampling of the profile in use is kept. */
  readonly configuration: AgentConfiguration;
  readonly access: Pick<ModelAccess, 'keys' | 'slots' | 'quirks' | 'fetch'>;
  /** The kind of the server, for the result. */
  readonly server?: string | undefined;
  /** The set of tasks, which is also the seed of the sampling. */
  readonly seed: number;
  /** An earlier result, to be continued if it is of the same exam and not complete. */
  readonly earlier?: ExamResult | undefined;
  /** Default: a new one. */
  readonly checks?: CheckRunner | undefined;
  /** Default: those of the seed. */
  readonly tasks?: readonly ExamTask[] | undefined;
  readonly now: () => Date;
}

/** How far an exam is. `doing`: the title of the current task. */
export interface ExamProgress {
  readonly doing: string;
  readonly done: number;
  readonly all: number;
  /** The result so far, to be kept. */
  readonly result: ExamResult;
  /** The newest finished task. */
  readonly latest?: TaskResult | undefined;
}

export interface ExamOptions {
  readonly signal: AbortSignal;
  /** Called before the first task and after each. The next task waits for it. */
  readonly onProgress: (progress: ExamProgress) => void | Promise<void>;
}

/** An exam that came to its end, was stopped, or could not go on because the server failed. */
export type ExamOutcome =
  | { readonly kind: 'finished' | 'stopped'; readonly result: ExamResult }
  | { readonly kind: 'failed'; readonly result: ExamResult; readonly message: string };

/** After so many failures of the server in a row, the exam ends. */
const MAX_ERRORS = 2;

/**
 * Gives all tasks to one model, one after another, each in a throwaway folder. Then tries some of them in another manner where
 * the first did not go well. Rejects only when a folder cannot be made or `onProgress` fails.
 */
export async function examineModel(parts: ExamParts, { signal, onProgress }: ExamOptions): Promise<ExamOutcome> {
  const { configuration, access, seed, earlier, now } = parts;
  const { tasks = examTasks(seed), checks = await createCheckRunner() } = parts;
  const start = startOf(parts, checks);
  let result: ExamResult = earlier && isSameExam(earlier, start) ? { ...start, ...kept(earlier, tasks) } : start;
  const tell = async (doing: string, latest?: TaskResult): Promise<void> =>
    onProgress({ doing, done: result.tasks.length, all: tasks.length, result, ...(latest && { latest }) });
  let errors = 0;
  const left = tasks.filter(({ id }) => result.tasks.every((each) => each.id !== id));
  try {
    await tell(left[0]?.title ?? '');
    for (const [index, task] of left.entries()) {
      signal.throwIfAborted();
      const latest = await runTask(task, { configuration, access, checks, seed }, signal);
      errors = latest.verdict === 'error' ? errors + 1 : 0;
      if (errors >= MAX_ERRORS) return { kind: 'failed', result: withoutErrors(result), message: latest.why ?? '' };
      result = { ...result, date: now().toISOString(), tasks: [...result.tasks, latest] };
      await tell(left[index + 1]?.title ?? '', latest);
    }
    const learned = await tryOtherManners(result, { tasks, configuration, access, checks, seed }, { signal, tell });
    // The server may have refused native calls.
    const { tools: toolCalls } = access.quirks.memoryFor(configuration.baseUrl).get(configuration.model);
    const manner = toolCalls === 'text' ? { ...result.manner, toolCalls } : result.manner;
    result = { ...result, manner, trials: learned, date: now().toISOString(), isComplete: true };
    await tell('');
    return { kind: 'finished', result };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { kind: 'stopped', result: withoutErrors(result) };
  }
}

function startOf({ configuration, server, seed, now }: ExamParts, { confinement }: CheckRunner): ExamResult {
  const { model } = configuration;
  const quantisation = quantisationOf(model);
  return {
    version: 1,
    taskVersion,
    model,
    ...(server !== undefined && { server }),
    ...(quantisation !== undefined && { quantisation }),
    date: now().toISOString(),
    seed,
    isComplete: false,
    manner: mannerOf(configuration),
    confinement,
    tasks: [],
    trials: [],
  };
}

/** The finished tasks of an exam that was not completed. A complete one begins anew. */
function kept({ isComplete, tasks }: ExamResult, all: readonly ExamTask[]): Partial<ExamResult> {
  if (isComplete) return {};
  return {
    tasks: tasks.filter(({ id, verdict }) => verdict !== 'error' && all.some((task) => task.id === id)),
  };
}

/** Tasks at which the server failed are done again when the exam goes on. */
function withoutErrors(result: ExamResult): ExamResult {
  return { ...result, tasks: result.tasks.filter(({ verdict }) => verdict !== 'error') };
}
