import * as l10n from '../../util/l10n';
import { denialLabel } from '../../agent/view/denialLabel';
import type { ToolItem, ToolItemState } from '../../agent/view/sessionView';
import { isJsonObject } from '../../util/json';
import type { IconName } from '../controls/icons';

/** The icon and the name of a tool use's state. */
export interface ToolStateLook {
  readonly icon: IconName;
  readonly label: string;
  readonly isSpinning?: boolean | undefined;
}

const toolStates = (): Readonly<Record<Exclude<ToolItemState, 'denied'>, ToolStateLook>> => ({
  writing: { icon: 'loading', label: l10n.t('Writing'), isSpinning: true },
  ready: { icon: 'circle-large', label: l10n.t('Waiting') },
  awaiting_approval: { icon: 'question', label: l10n.t('Needs your approval') },
  running: { icon: 'loading', label: l10n.t('Running'), isSpinning: true },
  succeeded: { icon: 'check', label: l10n.t('Done') },
  failed: { icon: 'error', label: l10n.t('Failed') },
  interrupted: { icon: 'debug-stop', label: l10n.t('Stopped') },
  outcome_unknown: { icon: 'warning', label: l10n.t('Outcome unknown') },
});

/**
 * `background`: the ids of the background commands that run, with commas. The start of one succeeds long before the command ends.
 */
export function toolLook(item: ToolItem, background = ''): ToolStateLook {
  if (item.state === 'denied') return { icon: 'circle-slash', label: labelOfDenied(item) };
  const started = isJsonObject(item.display) ? item.display['background'] : undefined;
  const isKept = typeof started === 'string' && background.split(',').includes(started);
  return toolStates()[isKept ? 'running' : item.state];
}

function labelOfDenied(item: ToolItem): string {
  return denialLabel(item.toolName, isPersonsNo(item));
}

/** False where nobody was asked, and where the person said yes and something forbade the call afterwards, such as a new rule. */
function isPersonsNo({ approvalOutcome }: ToolItem): boolean {
  return approvalOutcome === 'denied' || approvalOutcome === 'expired';
}

/** One line under the title. `undefined` for a plain success and before the end. */
export function toolSummary(item: ToolItem): string | undefined {
  switch (item.state) {
    case 'failed':
      return firstLine(item.result) ?? l10n.t('Failed.');
    case 'denied':
      return described(labelOfDenied(item), isPersonsNo(item) ? item.denialReason : refusal(item));
    case 'interrupted':
      return item.approvalOutcome === 'expired' ? l10n.t('Stopped before it was approved.') : l10n.t('Stopped.');
    case 'outcome_unknown':
      return l10n.t('The window closed while this ran. It was not run again: check what it did.');
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

function described(label: string, reason: string | undefined): string {
  return reason === undefined || reason === '' ? `${label}.` : `${label}: ${reason}`;
}

/** Why a call was refused without asking: the first sentence of the reason that the model got. */
function refusal(item: ToolItem): string | undefined {
  return /\bReason: (.+?[.!?])(\s|$)/s.exec(item.result ?? '')?.[1];
}

function editSummary(item: ToolItem): string | undefined {
  if (isJsonObject(item.display) && item.display['applied'] === false) return l10n.t('Nothing was changed.');
  return item.approvalOutcome === 'allowed_with_changes' ? l10n.t('Accepted with your changes.') : undefined;
}

function firstLine(text: string | undefined): string | undefined {
  const line = text?.split('\n').find((candidate) => candidate.trim() !== '');
  return line !== undefined && line.length > 240 ? `${line.slice(0, 240)}…` : line;
}
