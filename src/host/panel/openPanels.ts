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
import { answeringModel } from '../answeringModel';
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
import { createMentions } from './prompt/createMentions';
import { PanelController } from './panelController';
import type { PanelControllerParts } from './panelParts';
import type { PanelSurroundings } from './panelSurroundings';
import { Panels } from './panels';

export interface OpenPanelsParts {
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

/** Composes the chats of the window. The one of the side bar exists with or without a webview. */
export function openPanels(parts: OpenPanelsParts): Panels {
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
  const names = new FileNames({
    roots: access.roots,
    virtualFiles: fileSystem,
    now: Date.now,
    setTimer: systemTimer,
  });
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
  const trySandbox = (): void => {
    findSandbox(access.ports.confinement).then((works) => models.agents.offerSandbox(works), log.error);
  };
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(trySandbox));
  const actions = createWindowActions({ fileSystem, roots: workspaceRoots, outputFile: (id) => outputs.fileOf(id) });
  const shared: Omit<PanelControllerParts, 'memory' | 'surroundings' | 'doctor' | 'context' | 'switchInstruction'> = {
    registry,
    approver: approvals.approver,
    server,
    agents: models.agents,
    settingProblems: () => readSettings().problems,
    mcp,
    mentions,
    slashCommands: createSlashCommands({ fileSystem, registry, isServer, model: () => answeringModel(models, log) }),
    pasted,
    nameDropped,
    ruleProblems: () => approvals.rules.problems,
    reviewEdits: () => approvals.review.show(),
    reviewRun: (changes) => approvals.review.showChanges(changes),
    reviewProposedEdits: (sessionId) => approvals.proposedEdits.show(sessionId),
    local: models.local,
    restore: createRestoreFlow({
      checkpoints,
      fileSystem,
      roots: workspaceRoots,
      removeEmptyFolders,
      dialog: createRestoreDialog(new RestorePreview({ originals, ...checkpoints })),
    }),
    background,
    actions,
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
  };
  const create = (
    { memory: own, ...surroundings }: PanelSurroundings,
    ownedByChat: DisposableStore,
  ): PanelController => {
    const onInternalError = log.error;
    const doctor = ownedByChat.add(
      new ServerDoctor({ ...models, logger: log, onLearned: () => registry.reconfigure(), onInternalError }),
    );
    const context = ownedByChat.add(
      new PanelContext({
        describe: mentions.describe,
        describeInstructions: () => {
          const model = server.models.find(({ id }) => id === server.selectedModel);
          return sessions.projectRules.describe(model?.contextWindow);
        },
        instructionChoice,
        setTimer: systemTimer,
        onInternalError,
      }),
    );
    // Another model may take images, and has another window.
    ownedByChat.add(server.onChange(() => context.lookAgain()));
    const switchInstruction = async (id: string, isOn: boolean): Promise<void> => {
      await instructionChoice.switch(id, isOn);
      registry.reconfigure();
      context.lookAgain();
    };
    return new PanelController({ ...shared, memory: own, surroundings, doctor, context, switchInstruction });
  };
  return owned.add(
    new Panels({
      memory,
      create,
      // VS Code makes this command for every view.
      revealSideBar: async () => void (await vscode.commands.executeCommand('openAgent.chat.focus')),
      setWatched: (isWatched) => server.setWatched(isWatched),
      showRunning: (isRunning) => actions.showRunning(isRunning),
      showFocused: (isFocused) => actions.showFocused(isFocused),
    }),
  );
}

/** Whether the mode that needs the sandbox can be offered. Each command tries the sandbox once more. */
async function findSandbox(confinement: CommandConfinement | undefined): Promise<boolean> {
  if (!vscode.workspace.isTrusted || !confinement?.findSandboxProblem) return false;
  return (await confinement.findProblem()) === undefined;
}
