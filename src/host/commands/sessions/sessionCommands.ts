import * as vscode from 'vscode';
import type { ExportFormat, SessionRegistry } from '../../../agent/session/sessionRegistry';
import type { PanelController } from '../../panel/panelController';
import { notificationText } from '../../notificationText';
import { messageOf } from '../../../util/errors';
import { visibleText } from '../../../util/text/visibleText';

const newTitle = vscode.l10n.t('New session');

interface Parts {
  readonly panel: PanelController;
  readonly registry: SessionRegistry;
}

/** The session whose id is given, or the one on screen. Without one a message says so. */
export function sessionMeant(panel: Pick<PanelController, 'activeSessionId'>, given: unknown): string | undefined {
  const id = typeof given === 'string' ? given : panel.activeSessionId;
  if (id === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no session on screen. Open one in the panel first.'),
    );
  }
  return id;
}

export async function forkSession({ panel }: Pick<Parts, 'panel'>, id: string): Promise<void> {
  await panel.forkSession(id);
  await panel.reveal();
}

export async function renameSession({ registry }: Pick<Parts, 'registry'>, id: string): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Session'),
    value: await titleOf(registry, id),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A session needs a name.') : undefined),
  });
  if (title !== undefined) await registry.rename(id, title);
}

export async function deleteSession({ panel, registry }: Parts, id: string): Promise<void> {
  const listed = (await registry.list()).find((session) => session.id === id);
  const title = listed?.title ?? newTitle;
  if (listed?.isRunning && !listed.isForeign && !(await confirmStop(title))) return;
  await panel.deleteSession(id);
  const undo = vscode.l10n.t('Undo');
  // Not awaited: the notification stays until the person closes it.
  void vscode.window
    .showInformationMessage(
      notificationText(vscode.l10n.t('Deleted "{0}". It can be brought back for 30 days.', title)),
      undo,
    )
    .then(async (answer) => {
      if (answer !== undo) return;
      await registry.undelete(id);
      await panel.showSession(id);
    })
    .then(undefined, (error: unknown) => {
      void vscode.window.showErrorMessage(notificationText(messageOf(error)));
    });
}

/** Asks before a deletion ends a run. */
async function confirmStop(title: string): Promise<boolean> {
  const stop = vscode.l10n.t('Stop and Delete');
  const message = vscode.l10n.t('"{0}" is running. Stop it and delete the session?', visibleText(title, 'prose'));
  const detail = vscode.l10n.t(
    'It can be brought back for 30 days with Restore Deleted Session. The run does not go on then.',
  );
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, stop)) === stop;
}

/** Brings back one of the sessions that were deleted within 30 days. */
export async function restoreSession({ panel, registry }: Parts): Promise<void> {
  const deleted = await registry.listDeleted();
  if (deleted.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No session of this workspace was deleted within the last 30 days.'),
    );
    return;
  }
  const chosen = await vscode.window.showQuickPick(
    deleted.map(({ id, title, deletedMs }) => {
      const when = new Date(deletedMs).toLocaleString(vscode.env.language);
      return { label: visibleText(title, 'prose'), description: vscode.l10n.t('deleted {0}', when), id };
    }),
    {
      title: vscode.l10n.t('Restore Deleted Session'),
      placeHolder: vscode.l10n.t('Newest first'),
      matchOnDescription: true,
    },
  );
  if (!chosen) return;
  await registry.undelete(chosen.id);
  await panel.showSession(chosen.id);
  await panel.reveal();
}

const formats: readonly (vscode.QuickPickItem & { readonly format: ExportFormat; readonly extension: string })[] = [
  { label: vscode.l10n.t('Markdown'), description: vscode.l10n.t('To read'), format: 'markdown', extension: 'md' },
  {
    label: vscode.l10n.t('JSON Lines'),
    description: vscode.l10n.t('Everything, to import again'),
    format: 'jsonl',
    extension: 'jsonl',
  },
];

export async function exportSession({ registry }: Pick<Parts, 'registry'>, id: string): Promise<void> {
  const chosen = await vscode.window.showQuickPick(formats, {
    title: vscode.l10n.t('Export Session'),
    placeHolder: vscode.l10n.t('Choose a format'),
  });
  if (!chosen) return;
  const name =
    (await titleOf(registry, id))
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 60) || 'session';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Session'),
    filters: { [chosen.label]: [chosen.extension] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${chosen.extension}`) }),
  });
  if (!target) return;
  const text = await registry.export(id, chosen.format);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

export async function importSession({ panel, registry }: Parts): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import Session'),
      openLabel: vscode.l10n.t('Import'),
      filters: { 'JSON Lines': ['jsonl'] },
    })) ?? [];
  if (!source) return;
  // Loaded on first use: reading session files is seldom needed.
  const { MAX_IMPORT_BYTES } = await import('../../../agent/sessionFiles/importSession');
  // Checked before reading: the file may have any size.
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > MAX_IMPORT_BYTES) throw new Error(vscode.l10n.t('The file is too large for a session (64 MB at most).'));
  const id = await registry.import(await vscode.workspace.fs.readFile(source));
  await panel.showSession(id);
  await panel.reveal();
}

async function titleOf(registry: SessionRegistry, id: string): Promise<string> {
  return (await registry.list()).find((session) => session.id === id)?.title ?? newTitle;
}
