import * as vscode from 'vscode';
import type { ExportFormat } from '../../../agent/session/sessionRegistry';
import type { AgentHost } from '../../agentHost';
import type { Command, CommandParts } from '../command';
import { showPanel } from '../../panel/showPanel';
import { notificationText } from '../../notificationText';
import { messageOf } from '../../../util/errors';

/** Renaming, deleting, forking, exporting and importing sessions: the one on screen, or the one whose id is given. */
export function sessionCommands(parts: CommandParts): readonly Command[] {
  const { host } = parts;
  return [
    { id: 'openAgent.renameSession', run: forSession(parts, rename) },
    { id: 'openAgent.deleteSession', run: forSession(parts, deleteSession) },
    { id: 'openAgent.forkSession', run: forSession(parts, forkSession) },
    { id: 'openAgent.exportSession', run: forSession(parts, exportSession) },
    { id: 'openAgent.importSession', run: async () => importSession(await host.get()) },
  ];
}

function forSession(
  { host }: CommandParts,
  act: (host: AgentHost, sessionId: string) => Promise<void>,
): Command['run'] {
  return async (...args) => {
    const loaded = await host.get();
    const sessionId = typeof args[0] === 'string' ? args[0] : loaded.panel.activeSessionId;
    if (sessionId !== undefined) return act(loaded, sessionId);
    void vscode.window.showInformationMessage('There is no session on screen. Open one in the panel first.');
  };
}

async function forkSession({ panel }: AgentHost, id: string): Promise<void> {
  await panel.forkSession(id);
  await showPanel();
}

async function rename({ registry }: AgentHost, id: string): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: 'Rename Session',
    value: await titleOf(registry, id),
    validateInput: (value) => (value.trim() === '' ? 'A session needs a name.' : undefined),
  });
  if (title !== undefined) await registry.rename(id, title);
}

async function deleteSession({ panel, registry }: AgentHost, id: string): Promise<void> {
  const title = await titleOf(registry, id);
  await panel.deleteSession(id);
  const undo = 'Undo';
  // Not waited for: the notification may stay for as long as it likes.
  void vscode.window
    .showInformationMessage(notificationText(`Deleted "${title}". It can be brought back for 30 days.`), undo)
    .then(async (answer) => {
      if (answer !== undo) return;
      await registry.undelete(id);
      await panel.showSession(id);
    })
    .then(undefined, (error: unknown) => {
      void vscode.window.showErrorMessage(notificationText(messageOf(error)));
    });
}

const formats: readonly (vscode.QuickPickItem & { readonly format: ExportFormat; readonly extension: string })[] = [
  { label: 'Markdown', description: 'to read', format: 'markdown', extension: 'md' },
  { label: 'JSON Lines', description: 'everything, to import again', format: 'jsonl', extension: 'jsonl' },
];

async function exportSession({ registry }: AgentHost, id: string): Promise<void> {
  const chosen = await vscode.window.showQuickPick(formats, { title: 'Export Session', placeHolder: 'As what?' });
  if (!chosen) return;
  const name =
    (await titleOf(registry, id))
      .replace(/[^\p{L}\p{N} ._-]+/gu, '')
      .trim()
      .slice(0, 60) || 'session';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Session',
    filters: { [chosen.label]: [chosen.extension] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${chosen.extension}`) }),
  });
  if (!target) return;
  const text = await registry.export(id, chosen.format);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

async function importSession({ panel, registry }: AgentHost): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: 'Import Session',
      openLabel: 'Import',
      filters: { 'JSON Lines': ['jsonl'] },
    })) ?? [];
  if (!source) return;
  // It comes with everything that reads session files.
  const { MAX_IMPORT_BYTES } = await import('../../../agent/sessionFiles/importSession');
  // Before it is read: it may be anything.
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > MAX_IMPORT_BYTES) throw new Error('The file is too large for a session (64 MB at most).');
  const id = await registry.import(await vscode.workspace.fs.readFile(source));
  await panel.showSession(id);
  await showPanel();
}

async function titleOf(registry: AgentHost['registry'], id: string): Promise<string> {
  return (await registry.list()).find((session) => session.id === id)?.title ?? 'New session';
}
