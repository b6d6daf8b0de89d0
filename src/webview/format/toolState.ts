import type { ToolItem, ToolItemState } from '../../agent/view/sessionView';
import { isJsonObject } from '../../util/json';

/** A tool use's state for the eye and the ear. */
export interface ToolStateLook {
  readonly icon: string;
  readonly label: string;
  readonly isSpinning?: boolean | undefined;
}

export const toolStates: Readonly<Record<ToolItemState, ToolStateLook>> = {
  writing: { icon: 'loading', label: 'Being written', isSpinning: true },
  ready: { icon: 'circle-large', label: 'Waiting' },
  awaiting_approval: { icon: 'question', label: 'Needs your approval' },
  running: { icon: 'loading', label: 'Running', isSpinning: true },
  succeeded: { icon: 'check', label: 'Done' },
  failed: { icon: 'error', label: 'Failed' },
  denied: { icon: 'circle-slash', label: 'Denied' },
  interrupted: { icon: 'debug-stop', label: 'Stopped' },
  outcome_unknown: { icon: 'warning', label: 'Outcome unknown' },
};

/** One line under the title when the outcome is not simply success. */
export function toolSummary(item: ToolItem): string | undefined {
  switch (item.state) {
    case 'failed':
      return firstLine(item.result) ?? 'Failed.';
    case 'denied':
      if (item.denialReason !== undefined && item.denialReason !== '') return `Denied: ${item.denialReason}`;
      return item.approvalOutcome === undefined ? refusal(item) : 'Denied.';
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

/** Lines an edit adds and removes: of the proposal while it is open, of what was applied afterwards. */
export function lineCounts(item: ToolItem): { readonly added: number; readonly removed: number } | undefined {
  const source = item.approval ?? (isJsonObject(item.display) ? item.display : undefined);
  const { addedLines, removedLines } = source ?? {};
  if (typeof addedLines !== 'number' || typeof removedLines !== 'number') return undefined;
  return { added: addedLines, removed: removedLines };
}

/** What a finished command printed; `undefined` for other tools and where there is nothing to show. */
export function commandOutput(item: ToolItem): string | undefined {
  const hasRun = item.state === 'succeeded' || item.state === 'failed' || item.state === 'interrupted';
  if (item.toolName !== 'run_terminal_command' || !hasRun) return undefined;
  // Its first line says how it ended.
  const output = item.result?.slice(item.result.indexOf('\n') + 1).trimEnd() ?? '';
  return item.result?.includes('\n') === true && output !== '' && output !== '(no output)' ? output : undefined;
}

/** Why a call was refused without asking anybody: the first sentence of what the model was told. */
function refusal({ result }: ToolItem): string {
  const reason = /\bReason: (.+?[.!?])(\s|$)/s.exec(result ?? '')?.[1];
  return reason === undefined ? 'Denied.' : `Refused: ${reason}`;
}

function editSummary(item: ToolItem): string | undefined {
  if (isJsonObject(item.display) && item.display['applied'] === false) return 'Nothing was changed.';
  return item.approvalOutcome === 'allowed_with_changes' ? 'Applied with your changes.' : undefined;
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n').find((candidate) => candidate.trim() !== '');
  return line !== undefined && line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
