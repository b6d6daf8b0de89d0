/**
 * How far the agent may go without asking. `plan`: it only reads. `ask`: it reads, everything else asks. `acceptEdits`:
 * ordinary edits inside the workspace run as well.
 */
export const permissionModes = ['plan', 'ask', 'acceptEdits'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** The modes in people's words. */
export const modeTexts: Readonly<Record<PermissionMode, { readonly label: string; readonly detail: string }>> = {
  plan: { label: 'Plan', detail: 'Reads only. Edits and commands are refused.' },
  ask: { label: 'Ask', detail: 'Reads by itself. Asks before each edit and command.' },
  acceptEdits: {
    label: 'Accept edits',
    detail: 'Edits ordinary files by itself. Asks before commands and protected files.',
  },
};
