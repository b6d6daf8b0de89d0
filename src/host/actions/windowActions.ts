import * as vscode from 'vscode';
import type { RemedySetting } from '../../agent/view/server/doctorReport';
import type { PanelCommand, SessionAction } from '../../protocol/fromWebview';
import { guardPath } from '../../workspace/paths/guardPath';
import type { FileSystem, Root } from '../../workspace/ports';
import { visibleText } from '../../util/text/visibleText';
import { uriOf } from '../workspace/uris';
import type { AgentCommand, WindowCommand } from '../commands/commandTable';
import { hasInternationalHost, pretendedAddress } from './misleadingLink';
import { safeLink } from './safeLink';
import { notificationText } from '../notificationText';

/** The actions on the window that the panel asks for. */
export interface WindowActions {
  /** Opens a file of the workspace, whose path a model or a person wrote. */
  openFile(file: string, line: number | undefined): Promise<void>;
  /** `text`: the text that the link shows. */
  openLink(href: string, text: string): Promise<void>;
  copyText(text: string): Promise<void>;
  runCommand(command: PanelCommand): Promise<void>;
  runSessionAction(action: SessionAction, sessionId: string): Promise<void>;
  showError(message: string): void;
  /** Shows the whole output of a background command in an editor. */
  showCommandOutput(id: string): Promise<void>;
  /** Loads or unloads a model on the server, with a progress notification. */
  changeLoaded(model: string, isLoaded: boolean): Promise<void>;
  /** Shows one setting in the settings editor. */
  openSetting(setting: RemedySetting): Promise<void>;
  /** Tells menus and key bindings whether the session on screen runs. */
  showRunning(isRunning: boolean): void;
  /** Tells key bindings whether the panel has the focus. VS Code's own `focusedView` stays empty for a webview. */
  showFocused(isFocused: boolean): void;
}

export interface WindowActionsParts {
  readonly fileSystem: FileSystem;
  readonly roots: () => readonly Root[];
  /** The file with a command's output. */
  readonly outputFile: (id: string) => string | undefined;
}

/** Creates the panel's actions on the window. None of them runs commands or changes files. */
export function createWindowActions({ fileSystem, roots, outputFile }: WindowActionsParts): WindowActions {
  return {
    async openFile(file, line) {
      // A model may have written the path, so nothing outside the workspace opens.
      const guarded = await guardPath(file, { roots: roots(), fileSystem });
      if (!guarded.ok) return warn(guarded.error);
      const { path, displayPath } = guarded.path;
      const stat = await fileSystem.stat(path);
      if (!stat) return warn(vscode.l10n.t('{0} does not exist.', displayPath));
      const uri = uriOf(path);
      if (stat.kind === 'directory') await vscode.commands.executeCommand('revealInExplorer', uri);
      else await vscode.commands.executeCommand('vscode.open', uri, showOptions(line));
    },

    async showCommandOutput(id) {
      const file = outputFile(id);
      if (file === undefined) return warn(vscode.l10n.t('{0} is not the name of an output.', id));
      // VS Code follows the growing file.
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: true });
    },

    async openLink(href, text) {
      const link = safeLink(href);
      if (link === undefined)
        return warn(vscode.l10n.t('Only web and mail addresses are opened, not {0}', href.slice(0, 200)));
      const doubt =
        pretendedAddress(text, link) !== undefined
          ? vscode.l10n.t('This link leads to another address than it shows.')
          : hasInternationalHost(link)
            ? vscode.l10n.t('The address of this link has letters beyond a to z. They can look like other letters.')
            : undefined;
      if (doubt !== undefined && !(await confirmLink(doubt, text, link))) return;
      // VS Code asks before it opens an untrusted domain.
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
    },

    async copyText(text) {
      await vscode.env.clipboard.writeText(text);
    },

    async runCommand(command) {
      await vscode.commands.executeCommand(commandId(command));
    },

    async runSessionAction(action, sessionId) {
      await vscode.commands.executeCommand(`openAgent.${action}Session`, sessionId);
    },

    showError: warn,

    async changeLoaded(model, isLoaded) {
      await vscode.commands.executeCommand(isLoaded ? 'openAgent.loadModel' : 'openAgent.unloadModel', model);
    },

    async openSetting(setting) {
      await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${setting}`);
    },

    showRunning(isRunning) {
      void vscode.commands.executeCommand('setContext', 'openAgent.isRunning', isRunning);
    },

    showFocused(isFocused) {
      void vscode.commands.executeCommand('setContext', 'openAgent.isPanelFocused', isFocused);
    },
  };
}

/** The id of a command in VS Code. A command of the panel that nobody registers does not compile. */
function commandId(command: PanelCommand): string {
  switch (command) {
    case 'manageTrust':
      return 'workbench.trust.manage';
    case 'openFolder':
      return 'vscode.openFolder';
    default:
      return `openAgent.${command satisfies AgentCommand | WindowCommand}`;
  }
}

function showOptions(line: number | undefined): vscode.TextDocumentShowOptions {
  if (line === undefined) return {};
  const start = new vscode.Position(line - 1, 0);
  return { selection: new vscode.Range(start, start) };
}

/** Asks whether to open the link's real address, in which letters beyond a to z are spelt `xn--…`. */
async function confirmLink(doubt: string, text: string, link: string): Promise<boolean> {
  const detail = vscode.l10n.t(
    'It shows {0}\nIt leads to {1}',
    visibleText(text.slice(0, 300), 'path'),
    visibleText(link.slice(0, 1000), 'path'),
  );
  const open = vscode.l10n.t('Open Anyway');
  return (await vscode.window.showWarningMessage(doubt, { modal: true, detail }, open)) === open;
}

/** Shows a warning and does not wait for its end. */
function warn(message: string): void {
  void vscode.window.showWarningMessage(notificationText(message));
}
