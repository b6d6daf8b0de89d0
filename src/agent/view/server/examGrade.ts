/** What a model can be used for, by its exam. */
export type ExamGrade = 'does_the_work' | 'small_edits' | 'chat_only';

/** The result of a model's exam, for its entry in the menu. */
export interface ExamSummary {
  readonly grade: ExamGrade;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly solved: number;
  readonly tasks: number;
  /** Such as `Q4_K_M`; absent: not known. */
  readonly quantisation?: string | undefined;
}

export function gradeWord(grade: ExamGrade): string {
  switch (grade) {
    case 'does_the_work':
      return 'does the work';
    case 'small_edits':
      return 'small edits';
    case 'chat_only':
      return 'chat only';
  }
}

/** The summary as one line, such as `does the work (24 of 28, Q4_K_M, 2026-01-31)`. */
export function examLine({ grade, date, solved, tasks, quantisation }: ExamSummary): string {
  const details = [`${solved} of ${tasks}`, ...(quantisation === undefined ? [] : [quantisation]), date];
  return `${gradeWord(grade)} (${details.join(', ')})`;
}
