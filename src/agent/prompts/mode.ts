import type { SessionEntry } from '../../sdk/session/entries';
import { branchOf } from '../../sdk/session/replay';
import type { PermissionMode } from '../view/permissionModes';

/**
 * The note about the mode for the next message to the model; `undefined`: the model knows the mode. `pending`: the modes
 * that waiting messages tell of, oldest first.
 */
export function modeNote(
  mode: PermissionMode,
  entries: readonly SessionEntry[],
  pending: readonly (string | undefined)[] = [],
): string | undefined {
  const known = pending.findLast((told) => told !== undefined) ?? toldMode(entries);
  return mode === known ? undefined : NOTES[mode];
}

/** The content of a message without its note, which can follow the project's instructions. Takes any message. */
export function withoutModeNote({
  content,
  mode,
}: {
  readonly content: string;
  readonly mode?: string | undefined;
}): string {
  if (mode === undefined) return content;
  if (content.startsWith('[Mode: ')) return content.slice(content.indexOf('\n\n') + 2);
  const note = Object.entries(NOTES).find(([name]) => name === mode)?.[1];
  return note === undefined ? content : content.replace(`\n\n${note}\n\n`, '\n\n');
}

/** The mode that the model knows: the last note in its history, else `ask`, as in the system prompt. */
function toldMode(entries: readonly SessionEntry[]): string {
  for (const entry of branchOf(entries).toReversed()) {
    // A note before this entry may have been left out.
    if (entry.type === 'compaction' || (entry.type === 'epoch' && entry.omitsHistory)) return 'ask';
    if (entry.type === 'user_message' && entry.mode !== undefined) return entry.mode;
  }
  return 'ask';
}

const NOTES: Readonly<Record<PermissionMode, string>> = {
  plan: '[Mode: plan. Edits and commands are refused. Read what you need, then describe what you would change and run.]',
  ask: '[Mode: ask. Edits and commands are possible again; the user is asked about each.]',
  acceptEdits: '[Mode: accept edits. Edits of ordinary files in the workspace run without asking; commands still ask.]',
  sandbox:
    '[Mode: auto in the sandbox. Edits of ordinary files and commands run without asking. Commands see the workspace and the programs of the system only: no network, no home folder, no files with secrets. Protected files such as .git and package.json are read-only for them.]',
};
