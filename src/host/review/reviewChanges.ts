import { taskContext } from '../../agent/prompts/slashCommands';
import type { PanelController } from '../panel/panelController';
import { changesSubject, type ChangesSubjectParts } from '../slashCommands/changesSubject';
import * as l10n from '../../util/l10n';

/** Has the changes that are not committed reviewed in a session of its own. Rejects with a reason for people. */
export async function reviewChanges(panel: PanelController, parts: ChangesSubjectParts): Promise<void> {
  const subject = await changesSubject(parts);
  if (!subject) throw new Error(l10n.t('There are no uncommitted changes to review.'));
  await panel.reveal();
  await panel.submit({ text: '/review', context: [taskContext('review', subject)] });
}
