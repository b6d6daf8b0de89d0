import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { ApprovalDecision } from '../../agent/approval/approver';
import type { EditPlan } from '../../workspace/plans';
import { writeEdit } from '../../workspace/tools/edits/writeEdit';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { requestIdOf } from '../diffPreview/proposalUris';
import { personsEdit, type VscodeApprover } from './vscodeApprover';

/** An edit that the person asked for without the agent. */
export interface PersonsEdit {
  readonly plan: EditPlan;
  readonly reason: string;
  /** The session that it belongs to. Absent: none. */
  readonly sessionId?: string | undefined;
  /** The id of its proposal. Absent: a new one. */
  readonly id?: string | undefined;
  /** Takes the question back. */
  readonly signal?: AbortSignal | undefined;
}

/** No session has this id, so no card in the panel shows the edit. */
const NO_SESSION = 'no-session';

/** Shows the proposal. Closing its tab rejects it, because no card in the panel leads back to it. */
export async function askForEdit(
  { plan, reason, sessionId = NO_SESSION, id = randomUUID(), signal = new AbortController().signal }: PersonsEdit,
  approver: Pick<VscodeApprover, 'ask' | 'showProposal' | 'deny'>,
): Promise<ApprovalDecision> {
  const asked = approver.ask({ id, sessionId, toolUseId: id, toolName: personsEdit, plan, reason }, { signal });
  approver.showProposal(id, sessionId);
  const tabs = onProposalClosed(id, () => void approver.deny(id));
  try {
    return await asked;
  } finally {
    tabs.dispose();
  }
}

/** Tells when a person closes the tab of a proposal. */
export function onProposalClosed(id: string, listener: () => void): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    const isClosed = closed.some(
      ({ input }) => input instanceof vscode.TabInputTextDiff && requestIdOf(input.modified) === id,
    );
    if (isClosed) listener();
  });
}

/** Writes an accepted edit. Resolves with the reason, for people, when it could not be written. */
export async function writeAccepted(
  plan: EditPlan,
  { editedText }: ApprovalDecision & { readonly action: 'allow' },
  access: WorkspaceAccess,
): Promise<string | undefined> {
  // Nobody waits for the problems that the edit brings.
  const { diagnostics: _, ...ports } = access.ports;
  const approved = editedText === undefined ? plan : { ...plan, after: editedText };
  const output = await writeEdit(approved, { ...access, ports }, new AbortController().signal);
  if (output.isError)
    return typeof output.content === 'string' ? output.content : vscode.l10n.t('The file could not be written.');
  void vscode.window.setStatusBarMessage(
    `$(check) ${vscode.l10n.t('Applied to {0}', plan.target.displayPath.replaceAll('$(', '('))}`,
    5_000,
  );
  return undefined;
}
