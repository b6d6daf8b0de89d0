import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createSandboxOffer } from '../../agent/approval/sandbox/sandboxOffer';
import { createAgent } from '../../agent/configuration/createAgent';
import { withCheckCommand } from '../../agent/runSummary/checkRounds';
import { createFindCheck } from '../../agent/runSummary/findCheck';
import { createProjectRules, type ProjectRules } from '../../agent/context/projectRules';
import { ChatSessions } from '../../agent/session/chatSessions';
import { FileClaims } from '../../agent/session/fileClaims';
import { ServedSessions } from '../../agent/session/servedSessions';
import { SessionRegistry } from '../../agent/session/sessionRegistry';
import { AgentError } from '../../sdk/errors';
import type { ImagePart } from '../../sdk/messages';
import type { DisposableStore } from '../../util/disposable';
import { systemTimer } from '../../util/timer';
import { createNodeCommandWorld } from '../../workspace/node/commands/nodeCommandWorld';
import { asExtensionTool } from '../api/asExtensionTool';
import type { RegisteredTools } from '../api/registeredTools';
import type { Approvals } from '../approvals/openApprovals';
import { WindowMcp } from '../mcpServers/windowMcp';
import { notificationText } from '../notificationText';
import type { InstructionChoice } from '../context/instructionChoice';
import type { OutputLog } from '../outputLog';
import type { WorkspaceTools } from '../ports/openWorkspaceTools';
import type { WindowModels } from '../openWindowModels';
import { readQuestionMs } from '../settings/endpointSettings';
import { invokeTool, knownTools } from '../vscodeTools/knownTools';
import { VscodeTools } from '../vscodeTools/vscodeTools';
import { ownFolder } from '../workspace/ownFolder';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { isInFolders } from './isInFolders';

/** The sessions of this window, with the tools that others add to the agent. */
export interface Sessions {
  readonly registry: SessionRegistry;
  /** The sessions of programs that use the endpoint. */
  readonly served: ServedSessions;
  /** The sessions of VS Code's own chat view. */
  readonly chatSessions: ChatSessions;
  readonly mcp: WindowMcp;
  readonly vscodeTools: VscodeTools;
  readonly projectRules: ProjectRules;
}

export interface SessionsParts {
  /** Absolute path of the session files' folder. */
  readonly directory: string;
  /** URI of the open workspace; `null`: none. */
  readonly workspace: string | null;
  /** The user's memory, not the workspace's. */
  readonly memory: vscode.Memento;
  /** The instructions that the person has switched off. */
  readonly instructionChoice: InstructionChoice;
  readonly models: WindowModels;
  readonly tools: WorkspaceTools;
  readonly approvals: Approvals;
  readonly registeredTools: RegisteredTools;
  /** Makes an image smaller, as far as a panel is open. Never rejects. */
  readonly scaleImage: (image: ImagePart) => Promise<ImagePart>;
  readonly log: OutputLog;
  /** Disposes the parts when the window closes, except `registry` and `mcp`: their ends are awaited. */
  readonly owned: DisposableStore;
}

/** Composes the agent and its sessions. Nothing runs yet. */
export function openSessions(parts: SessionsParts): Sessions {
  const { directory, workspace, memory, instructionChoice, models, tools, approvals, registeredTools, log, owned } =
    parts;
  const { settings, server, access } = models;
  const { rules, checkCommand, unseenEdits, approver } = approvals;
  const onInternalError = log.error;
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const reconfigure = (): void => registry.reconfigure();
  const mcp = new WindowMcp({
    memory,
    homeDirectory: homedir(),
    fetch: access.fetch,
    log,
    onReconfigured: reconfigure,
    onInternalError,
  });
  const vscodeTools = owned.add(new VscodeTools({ known: knownTools, invoke: invokeTool, memory, onInternalError }));
  const connect = createAgent({
    settings: () => ({ ...settings(), ...server.target }),
    ...tools.access,
    isTrusted,
    ...access,
    serverAt: (baseUrl) => server.serverAt(baseUrl),
    rules,
    unseenEdits,
    checkpoints: tools.checkpoints,
    scaleImage: parts.scaleImage,
    offerSandbox: createSandboxOffer({
      ports: tools.access.ports,
      roots: workspaceRoots,
      scanner: tools.checkpoints.scanner,
      isTrusted,
    }),
    extensionTools: () => [...registeredTools.current.map(asExtensionTool), ...vscodeTools.current],
    mcp: () => mcp.offer(),
    checkCommand: (signal) => checkCommand.choose(signal),
    commandMachine: createNodeCommandWorld(),
    logger: log,
    note: (message) => log.info(message),
    platform: process.platform,
  });
  const { fileSystem } = tools.access.ports;
  const leftOut = (): readonly string[] => instructionChoice.off;
  const projectRules = createProjectRules({ fileSystem, roots: workspaceRoots, isTrusted, leftOut, ownFolder });
  const chatSessions = new ChatSessions();
  const served = owned.add(new ServedSessions({ questionMs: readQuestionMs, setTimer: systemTimer, onInternalError }));
  const registry = new SessionRegistry({
    directory,
    claims: new FileClaims(),
    commandLine: {
      directory: path.join(homedir(), '.open-agent', 'sessions'),
      belongs: (uri) => isInFolders(uri, workspaceRoots()),
    },
    createClient: served.createClient(async (input) => {
      const error = await server.wake();
      if (error) throw new AgentError(error);
      return connect(chatSessions.wrap(input));
    }),
    approver,
    workspace,
    permissionMode: () => settings().permissionMode,
    projectRules,
    isUnseen: (file) => unseenEdits.has(file),
    findCheck: withCheckCommand(createFindCheck({ ...tools.access.ports, roots: workspaceRoots }), checkCommand.known),
    onInternalError,
    onLink: tellLinkedSession,
  });
  owned.add(registeredTools.onChange(reconfigure));
  owned.add(vscodeTools.onChange(reconfigure));
  return { registry, served, chatSessions, mcp, vscodeTools, projectRules };
}

/** A link could lead to any file, so it is not read. Without a word the session would just be missing. */
function tellLinkedSession(filePath: string): void {
  const message = vscode.l10n.t(
    'A session is not listed because its file is a link: {0}. Put a regular file in its place to list it.',
    filePath,
  );
  void vscode.window.showWarningMessage(notificationText(message));
}
