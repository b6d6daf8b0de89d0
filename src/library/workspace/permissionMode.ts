import { settableModes } from '../../agent/view/permissionModes';

/** The modes for programs. The sandbox is a person's choice in the panel. */
export const permissionModes = settableModes;

/**
 * How far the agent may go without asking. `plan`: it only reads. `ask`: it reads, and the rest asks. `acceptEdits`: ordinary edits
 * in the folders run as well.
 */
export type PermissionMode = (typeof permissionModes)[number];
