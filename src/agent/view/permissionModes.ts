/**
 * How far the agent may go without asking. `plan`: it only reads. `ask`: it reads, everything else asks. `acceptEdits`:
 * ordinary edits inside the workspace run as well. These can be set as the mode to begin with.
 */
export const settableModes = ['plan', 'ask', 'acceptEdits'] as const;

/**
 * `sandbox`: ordinary edits run, and ordinary commands in the sandbox. Only a person in the panel can choose it, and only
 * where the sandbox works.
 */
export const permissionModes = [...settableModes, 'sandbox'] as const;
/** See `permissionModes`. */
export type PermissionMode = (typeof permissionModes)[number];

/** The modes in people's words. */
export const modeTexts: Readonly<Record<PermissionMode, { readonly label: string; readonly detail: string }>> = {
  plan: { label: 'Plan', detail: 'Reads only. Edits and commands are refused.' },
  ask: { label: 'Ask', detail: 'Reads by itself. Asks before each edit and command.' },
  acceptEdits: {
    label: 'Accept edits',
    detail: 'Edits ordinary files by itself. Asks before commands and protected files.',
  },
  sandbox: {
    label: 'Auto in the sandbox',
    detail: 'Edits ordinary files and runs commands by itself, confined and without network. Asks before the rest.',
  },
};
