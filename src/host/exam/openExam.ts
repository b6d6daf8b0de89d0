import type { OutputLog } from '../outputLog';
import type { WindowModels } from '../openWindowModels';
import { ExamReports } from './examReports';
import { WindowExam } from './windowExam';

export interface OpenExamParts {
  readonly models: WindowModels;
  /** The folder of the extension's files. */
  readonly storage: string;
  readonly log: Pick<OutputLog, 'error'>;
}

/** Makes exams possible in this window. The caller disposes the result. */
export function openExam({ models, storage, log }: OpenExamParts): WindowExam {
  const reports = new ExamReports();
  const screens = { reports, onError: log.error, dispose: () => reports.dispose() };
  return new WindowExam({ models, exams: models.exams, storage, screens });
}
