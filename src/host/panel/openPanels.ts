import * as vscode from 'vscode';
import type { CommandConfinement } from '../../workspace/ports';
import type { DisposableStore } from '../../util/disposable';
import { once } from '../../util/lazy';
import { systemTimer } from '../../util/timer';
import { createWindowActions } from '../actions/windowActions';
import type { Approvals } from '../approvals/openApprovals';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { createCodeBlocks } from '../codeBlocks/createCodeBlocks';
import { whyNoImages } from '../../agent/view/prompt/imageSupport';
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
import type { TerminalHistory } from '../terminal/terminalHistory';
import { readSettings } from '../settings/settings';
import { createSecretCheck } from '../workspace/secretFiles';
import { workspaceRoots } from '../workspace/workspaceRoots';
import type { InstructionChoice } from '../context/instructionChoice';
import { PanelContext } from '../context/panelContext';
import { createChangesSource } from '../context/changesSource';
import { nameDropped } from '../context/namedUris';
import { PastedFiles } from '../context/pastedFiles';
import { createProblemsSource } from '../context/problemsSource';
import { createTerminalSource } from '../context/terminalSource';
import { createSymbolLinks } from '../context/symbolLinks';
import { createSelectionSource } from '../context/selectionSource';
import { createSlashCommands } from '../slashCommands/createSlashCommands';
import { createMentions } from './createMentions';
import { PanelController } from './panelController';

export interface OpenPanelParts {
  /** The workspace's memory. */
  readonly memory: vscode.Memento;
  readonly instructionChoice: InstructionChoice;
  readonly models: WindowModels;
  readonly tools: WorkspaceTools;
  readonly approvals: Approvals;
  readonly sessions: Sessions;
  readonly originals: OriginalProvider;
  readonly terminalHistory: TerminalHistory;
  readonly log: OutputLog;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
}

/** Composes the state of the panel. It exists with or without a webview. */
export function openPanel(parts: OpenPanelParts): PanelController {
  const { memory, instructionChoice, models, tools, approvals, sessions, originals, terminalHistory, log, owned } =
    parts;
  const { server, access: modelAccess } = models;
  const { registry, mcp } = sessions;
  const { checkpoints, access, background, outputs } = tools;
  const { fileSystem } = access.ports;
  /** Otherwise the first prompt of the window would wait for them. */
  const prepareLanguageServers = once(() => {
    if (vscode.workspace.isTrusted) void access.ports.codeNavigation?.isReady();
  });
  const isServer = (name: string): boolean => mcp.summaries.some((summary) => summary.name === name);
  const names = new FileNames({ roots: access.roots, now: Date.now, setTimer: systemTimer });
  const doctor = owned.add(
    new ServerDoctor({ ...models, logger: log, onLearned: () => registry.reconfigure(), onInternalError: log.error }),
  );
  const pasted = new PastedFiles(memory);
  const mentions = createMentions({
    access,
    names,
    sources: {
      selection: createSelectionSource(createSecretCheck(fileSystem)),
      problems: createProblemsSource({ roots: workspaceRoots, fileSystem }),
      changes: createChangesSource({ roots: workspaceRoots, fileSystem }),
      terminal: createTerminalSource(terminalHistory),
      pasted: pasted.source,
    },
    findSymbols: createSymbolLinks({
      navigation: access.ports.codeNavigation,
      finding: () => ({ roots: access.roots(), fileSystem, listNames: () => names.all() }),
      isTrusted: () => vscode.workspace.isTrusted,
      owned,
    }),
    whyNoImages: () => whyNoImages(server.models, server.selectedModel),
    isServer,
  });
  const context = owned.add(
    new PanelContext({
      describe: mentions.describe,
      describeInstructions: () => {
        const model = server.models.find(({ id }) => id === server.selectedModel);
        return sessions.projectRules.describe(model?.contextWindow);
      },
      instructionChoice,
      setTimer: systemTimer,
      onInternalError: log.error,
    }),
  );
  // Another model may take images, and has another window.
  owned.add(server.onChange(() => context.lookAgain()));
  const trySandbox = (): void => {
    findSandbox(access.ports.confinement).then((works) => models.agents.offerSandbox(works), log.error);
  };
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(trySandbox));
  return owned.add(
    new PanelController({
      registry,
      approver: approvals.approver,
      server,
      agents: models.agents,
      settingProblems: () => readSettings().problems,
      mcp,
      mentions,
      context,
      slashCommands: createSlashCommands({ fileSystem, registry, isServer }),
      switchInstruction: async (id, isOn) => {
        await instructionChoice.switch(id, isOn);
        registry.reconfigure();
        context.lookAgain();
      },
      pasted,
      nameDropped,
      ruleProblems: () => approvals.rules.problems,
      reviewEdits: () => approvals.review.show(),
      reviewRun: (changes) => approvals.review.showChanges(changes),
      reviewProposedEdits: (sessionId) => approvals.proposedEdits.show(sessionId),
      doctor,
      local: models.local,
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
      trySandbox,
      isTrusted: () => vscode.workspace.isTrusted,
      hasFolder: () => workspaceRoots().length > 0,
      schedule: systemTimer,
      log,
    }),
  );
}

/** Whether the mode that needs the sandbox can be offered. Each command tries the sandbox once more. */
async function findSandbox(confinement: CommandConfinement | undefined): Promise<boolean> {
  if (!vscode.workspace.isTrusted || !confinement?.findSandboxProblem) return false;
  return (await confinement.findProblem()) === undefined;
}
