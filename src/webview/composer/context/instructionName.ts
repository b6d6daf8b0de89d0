import * as l10n from '../../../util/l10n';
import { OWN_SKILLS, SKILLS, type SentInstruction } from '../../../agent/view/prompt/instructionSections';

/** The name of instructions for people: the file, or how many skills. Their label is kept with the session, in English. */
export function instructionName({ id, label }: Pick<SentInstruction, 'id' | 'label'>): string {
  const count = Number.parseInt(label, 10);
  if (id === SKILLS) return count === 1 ? l10n.t('1 skill') : l10n.t('{0} skills', count);
  if (id === OWN_SKILLS) return count === 1 ? l10n.t('1 skill of yours') : l10n.t('{0} skills of yours', count);
  return label.replace(/^\.github\//, '');
}
