import * as l10n from '../../util/l10n';
import type { ReadOnlyReason, SessionView } from './sessionView';

/** Why the session is read-only, for people, with the way out. */
export function readOnlyMessage({ why, canTakeOver }: ReadOnlyReason): string {
  switch (why) {
    case 'elsewhere':
      return canTakeOver
        ? l10n.t('This session was open in another window, which has closed it. Take it over to continue here.')
        : l10n.t('This session is open in another window. Continue there, or fork it to continue here with a copy.');
    case 'newer':
      return l10n.t(
        'This session was written by a newer version of Open Agent, so it is read-only. Update the extension, or fork the session to continue with a copy.',
      );
    case 'command_line':
      return l10n.t('This session is from the command line. Fork it to continue here with a copy.');
  }
}

/** The view of a read-only session: without notices, because their buttons would not work. */
export function readOnlyView(view: SessionView, readOnly: ReadOnlyReason): SessionView {
  return { ...view, readOnly, items: view.items.filter(({ kind }) => kind !== 'notice') };
}
