import type { ToolItem, ToolItemState } from '../../agent/view/sessionView';
import { isJsonObject } from '../../util/json';

/** The icon and the name of a tool use's state. */
export interface ToolStateLook {
  readonly icon: string;
  readonly label: string;
  readonly isSpinning?: boolean | undefined;
}

const toolStates: Readonly<Record<Exclude<ToolItemState, 'denied'>, ToolStateLook>> = {
  writing: { icon: 'loading', label: 'Writing', isSpinning: true },
  ready: { icon: 'circle-large', label: 'Waiting' },
  awaiting_approval: { icon: 'question', label: 'Needs your approval' },
  running: { icon: 'loading', label: 'Running', isSpinning: true },
  succeeded: { icon: 'check', label: 'Done' },
  failed: { icon: 'error', label: 'Failed' },
  interrupted: { icon: 'debug-stop', label: 'Stopped' },
  outcome_unknown: { icon: 'warning', label: 'Outcome unknown' },
};

export function toolLook(item: ToolItem): ToolStateLook {
  return item.state === 'denied' ? { icon: 'circle-slash', label: denied(item) } : toolStates[item.state];
}

/** Edits are accepted or rejected; everything else runs or is denied. */
function denied({ toolName }: ToolItem): string {
  return toolName === 'apply_edit' || toolName === 'write_file' ? 'Rejected' : 'Denied';
}

/** One line under the title. `undefined` for a plain success and before the end. */
export function toolSummary(item: ToolItem): string | undefined {
  switch (item.state) {
    case 'failed':
      return firstLine(item.result) ?? 'Failed.';
    case 'denied':
      if (item.denialReason !== undefined && item.denialReason !== '') return `${denied(item)}: ${item.denialReason}`;
      return item.approvalOutcome === undefined ? refusal(item) : `${denied(item)}.`;
    case 'interrupted':
      return item.approvalOutcome === 'expired' ? 'Stopped before it was approved.' : 'Stopped.';
    case 'outcome_unknown':
      return 'The window closed while this ran. It was not run again: check what it did.';
    case 'succeeded':
      return editSummary(item);
    case 'writing':
    case 'ready':
    case 'awaiting_approval':
    case 'running':
      return undefined;
  }
}

/** The lines that an edit adds and removes: of the proposal while it is open, later of the applied edit. */
export function lineCounts(item: ToolItem): { readonly added: number; readonly removed: number } | undefined {
  const display = isJsonObject(item.display) ? item.display : undefined;
  const { addedLines, removedLines } = (item.approval?.kind === 'edit' ? item.approval : display) ?? {};
  if (typeof addedLines !== 'number' || typeof removedLines !== 'number') return undefined;
  return { added: addedLines, removed: removedLines };
}

/** The output of a finished command. `undefined` for other tools and without output. */
export function commandOutput(item: ToolItem): string | undefined {
  const hasRun = item.state === 'succeeded' || item.state === 'failed' || item.state === 'interrupted';
  if (item.toolName !== 'run_terminal_command' || !hasRun) return undefined;
  // The first line is the exit code.
  const output = item.result?.slice(item.result.indexOf('\n') + 1).trimEnd() ?? '';
  return item.result?.includes('\n') === true && output !== '' && output !== '(no output)' ? output : undefined;
}

/** Why a call was refused without asking: the first sentence of the reason that the model got. */
function refusal(item: ToolItem): string {
  const reason = /\bReason: (.+?[.!?])(\s|$)/s.exec(item.result ?? '')?.[1];
  return reason === undefined ? `${denied(item)}.` : `Refused: ${reason}`;
}

function editSummary(item: ToolItem): string | undefined {
  if (isJsonObject(item.display) && item.display['applied'] === false) return 'Nothing was changed.';
  return item.approvalOutcome === 'allowed_with_changes' ? 'Accepted with your changes.' : undefined;
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n').find((candidate) => candidate.trim() !== '');
  return line !== undefined && line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
