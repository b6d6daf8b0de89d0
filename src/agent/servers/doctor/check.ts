import type { CheckId, Finding } from '../../view/doctorReport';
import type { Examination } from './examination';

/** What a check came to. */
export type Outcome = Omit<Finding, 'id' | 'title'>;

/** One check. It asks for what it needs, leaves what later ones build on, and never rejects but when the run is stopped. */
export interface Check {
  readonly id: CheckId;
  readonly title: string;
  /** Why it makes no sense after what was found so far; `undefined` when it does. */
  readonly skip?: ((found: Examination) => string | undefined) | undefined;
  readonly run: (found: Examination) => Promise<Outcome> | Outcome;
}

export const withoutServer = ({ server }: Examination): string | undefined =>
  server ? undefined : 'The server cannot be used.';

export const withoutAnswer = (found: Examination): string | undefined =>
  withoutServer(found) ?? (found.answer ? undefined : 'The model gave no answer.');

export const withoutTools = (found: Examination): string | undefined =>
  withoutAnswer(found) ?? (found.tools ? undefined : 'The model called no tool.');
