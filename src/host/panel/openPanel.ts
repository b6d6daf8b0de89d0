import * as vscode from 'vscode';
import type { DisposableStore } from '../../util/disposable';
import { once } from '../../util/lazy';
import { systemTimer } from '../../util/timer';
import { createWindowActions } from '../actions/windowActions';
import type { Approvals } from '../approvals/openApprovals';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { createCodeBlocks } from '../codeBlocks/createCodeBlocks';
import type { OutputLog } from '../outputLog';
import type { WorkspaceTools } from '../ports/openWorkspaceTools';
import { createRestoreFlow } from '../../agent/restore/restoreFlow';
import { FileNames } from '../../workspace/node/files/fileNames';
import { removeEmptyFolders } from '../../workspace/node/checkpoints/removeEmptyFolders';
import { createRestoreDialog } from '../restore/restoreDialog';
import { RestorePreview } from '../restore/restorePreview';
import type { WindowModels } from '../openWindowModels';
import { ServerDoctor } from '../../agent/servers/doctor/serverDoctor';
import type { Sessions } from '../sessions/openSessions';
import { readSettings } from '../settings/settings';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { createMentions } from './createMentions';
import { PanelController } from './panelController';

export interface OpenPanelParts {
  /** The workspace's memory. */
  readonly memory: vscode.Memento;
  readonly models: WindowModels;
  readonly tools: WorkspaceTools;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly originals: OriginalProvider;
  readonly log: OutputLog;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
}

/** Composes the state of the panel. It exists with or without a webview. */
export function openPanel(parts: OpenPanelParts): PanelController {
  const { memory, models, tools, approvals, sessions, originals, log, owned } = parts;
  const { server, access: modelAccess } = models;
  const { registry, mcp } = sessions;
  const { checkpoints, access, background, outputs } = tools;
  const { fileSystem } = access.ports;
  /** Otherwise the first prompt of the window would wait for them. */
  const prepareLanguageServers = once(() => {
    if (vscode.workspace.isTrusted) void access.ports.codeNavigation?.isReady();
  });
  const names = new FileNames({ roots: access.roots, now: Date.now });
  const doctor = owned.add(
    new ServerDoctor({ ...models, logger: log, onLearned: () => registry.reconfigure(), onInternalError: log.error }),
  );
  return owned.add(
    new PanelController({
      registry,
      approver: approvals.approver,
      server,
      agents: models.agents,
      settingProblems: () => readSettings().problems,
      mcp,
      mentions: createMentions({
        access,
        names,
        isServer: (name) => mcp.summaries.some((summary) => summary.name === name),
      }),
      ruleProblems: () => approvals.rules.problems,
      reviewEdits: () => approvals.review.show(),
      reviewRun: (changes) => approvals.review.showChanges(changes),
      reviewProposedEdits: (sessionId) => approvals.proposedEdits.show(sessionId),
      doctor,
      memory,
      restore: createRestoreFlow({
        checkpoints,
        fileSystem,
        roots: workspaceRoots,
        removeEmptyFolders,
        dialog: createRestoreDialog(new RestorePreview({ originals, ...checkpoints })),
      }),
      background,
      actions: createWindowActions({ fileSystem, roots: workspaceRoots, outputFile: (id) => outputs.fileOf(id) }),
      onTyping: prepareLanguageServers,
      forgetQuirks: () => {
        modelAccess.quirks.reset(server.baseUrl);
        registry.reconfigure();
      },
      codeBlocks: createCodeBlocks({
        access,
        approver: approvals.approver,
        listNames: () => names.all(),
        isTrusted: () => vscode.workspace.isTrusted,
      }),
      isTrusted: () => vscode.workspace.isTrusted,
      hasFolder: () => workspaceRoots().length > 0,
      schedule: systemTimer,
      log,
    }),
  );
}
