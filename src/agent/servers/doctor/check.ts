import * as l10n from '../../../util/l10n';
import type { CheckId, Finding } from '../../view/server/doctorReport';
import type { Examination } from './examination';

/** The result of a check. */
export type Outcome = Omit<Finding, 'id' | 'title'>;

/** One check. It asks what it needs and keeps its findings for later checks. Rejects only when the run was stopped. */
export interface Check {
  readonly id: CheckId;
  readonly title: () => string;
  /** The reason to skip the check after the findings so far; `undefined`: run it. */
  readonly skip?: ((found: Examination) => string | undefined) | undefined;
  readonly run: (found: Examination) => Promise<Outcome> | Outcome;
}

export const withoutServer = ({ server }: Examination): string | undefined =>
  server ? undefined : l10n.t('The server cannot be used.');

export const withoutAnswer = (found: Examination): string | undefined =>
  withoutServer(found) ?? (found.answer ? undefined : l10n.t('The model gave no answer.'));

export const withoutTools = (found: Examination): string | undefined =>
  withoutAnswer(found) ?? (found.tools ? undefined : l10n.t('The model called no tool.'));
