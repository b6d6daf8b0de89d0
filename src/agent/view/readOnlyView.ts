import type { ReadOnlyReason, SessionView } from './sessionView';

/** Why nothing can be said here, in words for people, with the way out. */
export function readOnlyMessage({ why, canTakeOver }: ReadOnlyReason): string {
  switch (why) {
    case 'elsewhere':
      return canTakeOver
        ? 'This session was open in another window, which has let it go. Take it over to go on here.'
        : 'This session is open in another window. Go on there, or fork it to go on here with a copy.';
    case 'newer':
      return 'This session was written by a newer version of Open Agent, so it is only shown. Update the extension, or fork the session to go on with a copy.';
    case 'command_line':
      return 'This session is from the command line. Fork it to go on here with a copy.';
  }
}

/** What is shown of a session that belongs to somebody else: nothing in it is offered. */
export function readOnlyView(view: SessionView, readOnly: ReadOnlyReason): SessionView {
  return { ...view, readOnly, items: view.items.filter(({ kind }) => kind !== 'notice') };
}
