import type { PermissionMode } from '../approval/permissions';

/** The modes in people's words. */
export const modeTexts: Readonly<Record<PermissionMode, { readonly label: string; readonly detail: string }>> = {
  plan: { label: 'Plan', detail: 'Reads only. Edits and commands are refused.' },
  ask: { label: 'Ask', detail: 'Reads by itself. Asks before each edit and command.' },
  acceptEdits: {
    label: 'Accept edits',
    detail: 'Edits ordinary files by itself. Asks before commands and protected files.',
  },
};
