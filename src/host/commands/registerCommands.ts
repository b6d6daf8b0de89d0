import * as vscode from 'vscode';
import { acceptEdit } from './acceptEdit';
import { loadModel, unloadModel } from './changeLoadedModel';
import { acceptHunk, rejectHunk } from './decideHunk';
import { checkServer } from './checkServer';
import type { Command, CommandParts } from './command';
import { endpointCommands } from './endpointCommands';
import { explainSelection } from './explainSelection';
import { findServers } from './findServers';
import { fixSelection } from './fixSelection';
import { focusChat } from './focusChat';
import { forgetServerQuirks } from './forgetServerQuirks';
import { manageRules } from './manageRules';
import { newSession } from './newSession';
import { openSettings } from './openSettings';
import { acceptAllEdits, rejectAllEdits, reviewProposedEdits } from './proposedEdits';
import { rejectEdit } from './rejectEdit';
import { reviewEdits } from './reviewEdits';
import { selectExtensionTools } from './selectExtensionTools';
import { selectMode } from './selectMode';
import { restoreCheckpoint } from './restoreCheckpoint';
import { selectModel } from './selectModel';
import { selectProfile } from './selectProfile';
import { sessionCommands } from './sessionCommands';
import { selectToolCalls } from './selectToolCalls';
import { setApiKey } from './setApiKey';
import { showSession } from './showSession';
import { showLog } from './showLog';
import { showMcpServers } from './showMcpServers';
import { stop } from './stop';
import { notificationText } from '../notificationText';

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
      void vscode.window.showErrorMessage(notificationText(error instanceof Error ? error.message : String(error)));
    }
  });
}
