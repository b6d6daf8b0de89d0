import * as l10n from '../../util/l10n';

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

/** A mode in people's words. */
export function modeText(mode: PermissionMode): { readonly label: string; readonly detail: string } {
  switch (mode) {
    case 'plan':
      return { label: l10n.t('Plan'), detail: l10n.t('Reads only. Edits and commands are refused.') };
    case 'ask':
      return { label: l10n.t('Ask'), detail: l10n.t('Reads by itself. Asks before each edit and command.') };
    case 'acceptEdits':
      return {
        label: l10n.t('Accept edits'),
        detail: l10n.t('Edits ordinary files by itself. Asks before commands and protected files.'),
      };
    case 'sandbox':
      return {
        label: l10n.t('Auto in the sandbox'),
        detail: l10n.t(
          'Edits ordinary files and runs commands by itself, confined and without network. Asks before the rest.',
        ),
      };
  }
}
