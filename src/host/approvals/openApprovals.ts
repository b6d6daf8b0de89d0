import * as vscode from 'vscode';
import { RuleStore } from '../../agent/approval/rules/ruleStore';
import { UnseenEdits } from '../../agent/approval/unseenEdits';
import type { DisposableStore } from '../../util/disposable';
import { DiffPreview } from '../diffPreview/diffPreview';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { ProposalSight } from '../diffPreview/proposalSight';
import { requestIdOf } from '../diffPreview/proposalUris';
import type { ProposalFileSystem } from '../diffPreview/proposalFileSystem';
import type { WorkspaceTools } from '../ports/openWorkspaceTools';
import { userRules, workspaceFileRules } from '../settings/ruleSettings';
import { ProposedEdits } from './proposedEdits';
import { createCheckCommand, type CheckCommand } from './checkCommand';
import { EditReview } from './editReview';
import { VscodeApprover } from './vscodeApprover';

/** How the person decides about edits, commands and calls, and reviews edits. */
export interface Approvals {
  readonly approver: VscodeApprover;
  readonly preview: DiffPreview;
  readonly sight: ProposalSight;
  readonly rules: RuleStore;
  readonly checkCommand: CheckCommand;
  readonly unseenEdits: UnseenEdits;
  /** The review of the edits made without asking. */
  readonly review: EditReview;
  /** The review of the edits that wait for an answer. */
  readonly proposedEdits: ProposedEdits;
}

export interface ApprovalsParts {
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly tools: Pick<WorkspaceTools, 'access' | 'checkpoints'>;
  readonly originals: OriginalProvider;
  readonly proposals: ProposalFileSystem;
  /** Whether the panel shows this session. */
  readonly isOnScreen: (sessionId: string) => boolean;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Composes the approver with the editors that show edits. */
export function openApprovals(parts: ApprovalsParts): Approvals {
  const { memory, tools, originals, proposals, isOnScreen, owned, onInternalError } = parts;
  const preview = owned.add(new DiffPreview({ originals, proposals, onInternalError }));
  const approver: VscodeApprover = owned.add(
    new VscodeApprover({
      preview,
      isOnScreen,
      showReview: (sessionId) => proposedEdits.show(sessionId),
      onInternalError,
    }),
  );
  owned.add(
    approver.onChange(
      () => void vscode.commands.executeCommand('setContext', 'openAgent.isEditProposed', approver.hasPendingEdit),
    ),
  );
  const sight = owned.add(
    new ProposalSight({
      visible: () => vscode.window.visibleTextEditors.flatMap(({ document }) => requestIdOf(document.uri) ?? []),
      onVisibleChanged: (listener) => vscode.window.onDidChangeVisibleTextEditors(listener),
      isPending: (id) => approver.isPending(id),
      onPendingChanged: approver.onChange,
      nowMs: () => performance.now(),
    }),
  );
  const rules = new RuleStore({
    memory: remembered(memory, 'openAgent.allowedCommands'),
    userSettings: userRules,
    workspaceFiles: workspaceFileRules,
    onInternalError,
  });
  const checkCommand = createCheckCommand({ rules, memory });
  const unseenEdits = new UnseenEdits({ memory: remembered(memory, 'openAgent.unseenEdits'), onInternalError });
  const review = new EditReview({
    unseenEdits,
    blobs: tools.checkpoints.blobs,
    fileSystem: tools.access.ports.fileSystem,
    notebooks: tools.access.ports.notebooks,
    originals,
  });
  const proposedEdits: ProposedEdits = owned.add(new ProposedEdits({ approver, preview, review, onInternalError }));
  return { approver, preview, sight, rules, checkCommand, unseenEdits, review, proposedEdits };
}

/** One value of the workspace's memory. */
function remembered(memory: vscode.Memento, key: string) {
  return { read: () => memory.get<unknown>(key), write: (value: unknown) => memory.update(key, value) };
}
