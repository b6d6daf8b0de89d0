import * as vscode from 'vscode';
import { describeRestore, type RestoreChoice } from '../../agent/restore/planRestore';
import type { RestoreDialog, RestoreWhat } from '../../agent/restore/restoreFlow';
import { visibleText } from '../../util/text/visibleText';
import { notificationText } from '../notificationText';
import type { RestorePreview } from './restorePreview';

/** Asks with quick picks. Differences open in `preview`. */
export function createRestoreDialog(preview: RestorePreview): RestoreDialog {
  return {
    chooseWhat,
    chooseFiles: (label, choices) => chooseFiles(label, choices, preview),
    // The notice in the panel that offers the undo has named the files.
    announceUndo: () => {},
    showProgress: (work) =>
      vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Going back') },
        work,
      ),
    warn: (message) => void vscode.window.showWarningMessage(notificationText(message)),
  };
}

async function chooseWhat(label: string, choices: readonly RestoreChoice[]): Promise<RestoreWhat | undefined> {
  const files = choices.length === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', choices.length);
  const items: (vscode.QuickPickItem & { readonly what: RestoreWhat })[] = [
    {
      label: `$(discard) ${vscode.l10n.t('Files and conversation')}`,
      detail: vscode.l10n.t('{0}, and the conversation from this prompt on', files),
      what: 'both',
    },
    {
      label: `$(files) ${vscode.l10n.t('Files only')}`,
      detail: vscode.l10n.t('{0}; the conversation goes on', files),
      what: 'files',
    },
    {
      label: `$(comment-discussion) ${vscode.l10n.t('Conversation only')}`,
      detail: vscode.l10n.t('No file is touched'),
      what: 'conversation',
    },
  ];
  const chosen = await vscode.window.showQuickPick(
    choices.length > 0 ? items : items.filter(({ what }) => what === 'conversation'),
    {
      title: vscode.l10n.t('Go back to {0}', label),
      placeHolder:
        choices.length > 0
          ? vscode.l10n.t('Choose what to restore. You can undo it.')
          : vscode.l10n.t('No file was changed since. You can undo it.'),
    },
  );
  return chosen?.what;
}

interface FileItem extends vscode.QuickPickItem {
  readonly choice: RestoreChoice;
}

function chooseFiles(
  label: string,
  choices: readonly RestoreChoice[],
  preview: RestorePreview,
): Promise<readonly RestoreChoice[] | undefined> {
  const pick = vscode.window.createQuickPick<FileItem>();
  pick.title = vscode.l10n.t('Files as they were {0}', label);
  pick.placeholder = vscode.l10n.t('These files are restored. Their current content is kept, so you can undo this.');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  // The question stays open while the person looks at a difference.
  pick.ignoreFocusOut = true;
  pick.items = choices.map((choice) => ({
    label: visibleText(choice.place.displayPath, 'path'),
    description: describeRestore(choice),
    ...(choice.isChangedSince && {
      detail: `$(warning) ${vscode.l10n.t('Changed since, and not by the agent. Selecting it overwrites those changes.')}`,
    }),
    choice,
    buttons: [{ iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show what changes') }],
  }));
  pick.selectedItems = pick.items.filter(({ choice }) => !choice.isChangedSince);
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => void preview.show(item.choice));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.map(({ choice }) => choice));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      preview.clear();
      pick.dispose();
    });
    pick.show();
  });
}
