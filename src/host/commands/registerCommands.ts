import * as vscode from 'vscode';
import { acceptEdit } from './edits/acceptEdit';
import { loadModel, unloadModel } from './models/changeLoadedModel';
import { acceptHunk, rejectHunk } from './edits/decideHunk';
import { checkServer } from './models/checkServer';
import type { Command, CommandParts } from './command';
import { endpointCommands } from './endpointCommands';
import { explainSelection } from './selection/explainSelection';
import { findServers } from './models/findServers';
import { fixSelection } from './selection/fixSelection';
import { focusChat } from './sessions/focusChat';
import { forgetServerQuirks } from './models/forgetServerQuirks';
import { manageRules } from './rights/manageRules';
import { newSession } from './sessions/newSession';
import { openSettings } from './openSettings';
import { acceptAllEdits, rejectAllEdits, reviewProposedEdits } from './edits/proposedEdits';
import { rejectEdit } from './edits/rejectEdit';
import { reviewEdits } from './edits/reviewEdits';
import { selectExtensionTools } from './rights/selectExtensionTools';
import { selectMode } from './rights/selectMode';
import { restoreCheckpoint } from './sessions/restoreCheckpoint';
import { selectModel } from './models/selectModel';
import { selectProfile } from './models/selectProfile';
import { sessionCommands } from './sessions/sessionCommands';
import { selectToolCalls } from './models/selectToolCalls';
import { setApiKey } from './models/setApiKey';
import { showSession } from './sessions/showSession';
import { showLog } from './showLog';
import { showMcpServers } from './rights/showMcpServers';
import { stop } from './sessions/stop';
import { notificationText } from '../notificationText';
import { messageOf } from '../../util/errors';

/** Registers every command of package.json. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const commands: readonly Command[] = [
    newSession(parts),
    stop(parts),
    focusChat(parts),
    findServers(parts),
    selectModel(parts),
    selectMode(parts),
    manageRules(parts),
    selectExtensionTools(parts),
    showSession(parts),
    reviewEdits(parts),
    showMcpServers(parts),
    selectProfile(parts),
    loadModel(parts),
    unloadModel(parts),
    selectToolCalls(parts),
    checkServer(parts),
    setApiKey(parts),
    forgetServerQuirks(parts),
    restoreCheckpoint(parts),
    ...sessionCommands(parts),
    ...endpointCommands(parts),
    showLog(parts),
    openSettings(),
    explainSelection(parts),
    fixSelection(parts),
    acceptEdit(parts),
    rejectEdit(parts),
    reviewProposedEdits(parts),
    acceptAllEdits(parts),
    rejectAllEdits(parts),
    acceptHunk(parts),
    rejectHunk(parts),
  ];
  return vscode.Disposable.from(...commands.map((command) => register(command, parts)));
}

function register({ id, run }: Command, { log }: CommandParts): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      await run(...args);
    } catch (error) {
      log.error(error);
      void vscode.window.showErrorMessage(notificationText(messageOf(error)));
    }
  });
}
