/** Options of an exam. */
export interface ExamOptions {
  /** The set of tasks. 0: the common one. */
  readonly seed: number;
  /** Every model of the server. */
  readonly isForAll: boolean;
  /** Does not go on with an earlier exam. */
  readonly isFresh: boolean;
  /** Standard output gets JSON. */
  readonly isJson: boolean;
}

/** The flags of `exam`. */
export const examFlags = {
  seed: { type: 'string' },
  'all-models': { type: 'boolean' },
  fresh: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

type ExamFlag = keyof typeof examFlags;
interface ExamValues {
  readonly seed?: string | undefined;
  readonly model?: string | undefined;
  readonly 'all-models'?: boolean | undefined;
  readonly fresh?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** The first given flag of `exam`. */
export function examFlagIn(values: ExamValues): ExamFlag | undefined {
  return (Object.keys(examFlags) as ExamFlag[]).find((flag) => values[flag] !== undefined);
}

/** Reads the flags, or names the problem. */
export function readExamOptions(values: ExamValues): ExamOptions | { readonly problem: string } {
  const { seed = '0', model, 'all-models': isForAll = false, fresh = false, json = false } = values;
  if (!/^\d{1,9}$/.test(seed)) return { problem: `--seed: "${seed}" is not a whole number of at most nine digits.` };
  if (isForAll && model !== undefined) return { problem: 'Give either --model or --all-models.' };
  return { seed: Number(seed), isForAll, isFresh: fresh, isJson: json };
}
