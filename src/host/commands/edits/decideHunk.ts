import type { Command, CommandParts } from '../command';
import { noProposedEdit, proposedEdit } from './proposedEdit';

/** Accepts one change of a proposed edit and goes to the next; with the last one the edit is applied. */
export function acceptHunk(parts: CommandParts): Command {
  return { id: 'openAgent.acceptHunk', run: (...args) => decide(parts, args, true) };
}

/** Takes one change out of a proposed edit and goes to the next; with the last one what is left is applied. */
export function rejectHunk(parts: CommandParts): Command {
  return { id: 'openAgent.rejectHunk', run: (...args) => decide(parts, args, false) };
}

/** A link in the editor names proposal and hunk; a key binding, the menu and the palette mean the one at the cursor. */
async function decide({ host }: CommandParts, args: readonly unknown[], isKept: boolean): Promise<void> {
  const [first, second] = args;
  const requestId = typeof first === 'string' ? first : proposedEdit(first);
  const loaded = await host.ifLoaded();
  if (requestId === undefined || !loaded?.approver.isPending(requestId)) return noProposedEdit();
  const hunk = typeof second === 'number' ? second : loaded.preview.hunkAtCursor(requestId);
  if (hunk === undefined) return noProposedEdit();
  if (!(await loaded.approver.decideHunk(requestId, { hunk, isKept, isFinal: true }))) return noProposedEdit();
  loaded.preview.goToOpenHunk(requestId, hunk + 1);
}
