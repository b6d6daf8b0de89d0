import * as l10n from '../../../util/l10n';

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
      return l10n.t('does the work');
    case 'small_edits':
      return l10n.t('small edits');
    case 'chat_only':
      return l10n.t('chat only');
  }
}

/** The summary as one line, such as `does the work (24 of 28, Q4_K_M, 2026-01-31)`. */
export function examLine({ grade, date, solved, tasks, quantisation }: ExamSummary): string {
  const details = [l10n.t('{0} of {1}', solved, tasks), ...(quantisation === undefined ? [] : [quantisation]), date];
  return `${gradeWord(grade)} (${details.join(', ')})`;
}
