import * as z from 'zod';
import { taskVersion } from '../tasks/examTasks';
import { wrongCallKinds } from '../judge/runFacts';

const count = z.number().min(0).max(1e9);
const text = z.string().max(500);

export const TaskResult = z.object({
  id: text,
  /** `not_run`: this machine cannot judge it · `error`: the server failed. */
  verdict: z.enum(['solved', 'failed', 'not_run', 'error']),
  /** Why it was not solved, for people. */
  why: z.string().max(4_000).optional(),
  steps: count,
  calls: count,
  wrongCalls: z.partialRecord(z.enum(wrongCallKinds), count),
  tokensRead: count,
  tokensWritten: count,
  /** The most tokens of a prompt with its answer. */
  context: count,
  seconds: count,
  thought: z.boolean(),
});

export type TaskResult = Readonly<z.infer<typeof TaskResult>>;

/** The way in which the model was asked. */
export const ExamManner = z.object({
  temperature: z.number().nullable(),
  toolCalls: z.enum(['native', 'text']),
  /** `null`: as the server decides. */
  thinking: z.boolean().nullable(),
});

export type ExamManner = Readonly<z.infer<typeof ExamManner>>;

/** Some tasks done again in another manner. */
export const ExamTrial = z.object({
  manner: ExamManner,
  /** How many of the same tasks were solved before and in this manner. */
  tasks: count,
  solvedBefore: count,
  solved: count,
  tokensBefore: count,
  tokens: count,
});

export type ExamTrial = Readonly<z.infer<typeof ExamTrial>>;

/** An exam of one model, finished or under way. Names no address and no key, so that it can be given away. */
export const ExamResult = z.object({
  version: z.literal(1),
  /** Results of another number are of other tasks. */
  taskVersion: count,
  model: text,
  /** `llama.cpp`, `Ollama`, …; absent: not known. */
  server: text.optional(),
  /** Such as `Q4_K_M`; absent: the name of the model does not tell. */
  quantisation: text.optional(),
  /** When it ended or was last continued, as ISO 8601. */
  date: z.iso.datetime(),
  /** The set of tasks. 0 is the common one. */
  seed: z
    .int()
    .min(0)
    .max(2 ** 31),
  isComplete: z.boolean(),
  manner: ExamManner,
  confinement: z.enum(['bubblewrap', 'node', 'none']),
  tasks: z.array(TaskResult).max(200).readonly(),
  trials: z.array(ExamTrial).max(10).readonly(),
});

export type ExamResult = Readonly<z.infer<typeof ExamResult>>;

/** Whether both are the same exam, so that one can go on with the other. */
export function isSameExam(one: ExamResult, other: Pick<ExamResult, 'model' | 'seed' | 'manner'>): boolean {
  return (
    one.taskVersion === taskVersion &&
    one.model === other.model &&
    one.seed === other.seed &&
    JSON.stringify(one.manner) === JSON.stringify(other.manner)
  );
}
