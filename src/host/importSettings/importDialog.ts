import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findImports } from '../../agent/importSettings/findImports';
import type { FoundKey, ImportItem } from '../../agent/importSettings/importItem';
import { importChanges, judgeItems, keysOf, type JudgedItem } from '../../agent/importSettings/importChanges';
import { importReport, judgedText, kindText, placeText } from '../../agent/importSettings/importText';
import { findModelFiles } from '../../localModel/installed/modelFiles';
import type { WindowModels } from '../openWindowModels';
import { pickText } from '../notificationText';
import type { Sessions } from '../sessions/openSessions';
import { proposeProjectRules, projectRulesOf } from './projectRulesFile';

export interface ImportDialogParts {
  readonly models: Pick<WindowModels, 'access' | 'local' | 'server'>;
  readonly registry: Pick<Sessions['registry'], 'reconfigure'>;
  /** The folder that VS Code gives to the extension. */
  readonly storage: string;
}

type Item = vscode.QuickPickItem & { readonly judged?: JudgedItem };

const icons = { model: 'robot', mcpServer: 'plug', mode: 'person', rules: 'book', file: 'warning' } as const;
const names = ['profiles', 'modelOptions', 'mcpServers', 'agents', 'systemPrompt'] as const;

/** Shows what other programs have set, takes over what the person ticks, and says what became of it. */
export async function importSettings(parts: ImportDialogParts): Promise<void> {
  const folders = vscode.workspace.isTrusted ? localFolders() : [];
  const items = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Looking for settings of other programs') },
    () => find(parts, folders),
  );
  const target = { ...ownSettings(), projectRules: await projectRulesOf(folders) };
  const judged = judgeItems(items, target);
  if (judged.length === 0) {
    const text = vscode.l10n.t(
      'No settings of Continue, Cline, Roo Code, Zoo Code, VS Code, Ollama or LM Studio were found.',
    );
    return void vscode.window.showInformationMessage(text);
  }
  const chosen = await chooseItems(judged);
  if (chosen === undefined) return;
  if (chosen.length === 0) return showReport(judged, []);
  const keys = await chooseKeys(keysOf(chosen));
  if (keys === undefined) return;
  const changes = importChanges(chosen, new Set(keys), target);
  const configuration = vscode.workspace.getConfiguration('openAgent');
  for (const [name, value] of Object.entries(changes.settings)) {
    await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  }
  const problems: string[] = [];
  for (const { baseUrl, value } of changes.apiKeys) {
    const kept = await parts.models.access.keys.set(baseUrl, value);
    if (!kept.ok) problems.push(kept.error);
  }
  if (changes.apiKeys.length > 0) {
    parts.registry.reconfigure();
    await parts.models.server.refresh();
  }
  await proposeProjectRules(changes.projectRules);
  await sayWhatBecame(judged, chosen, problems);
}

async function find(
  { models, storage }: ImportDialogParts,
  folders: readonly string[],
): Promise<readonly ImportItem[]> {
  const machine = { platform: process.platform, env: process.env, home: os.homedir() };
  const files = await findModelFiles({ ...machine, own: models.local.folder });
  const onDisk = files.filter(({ from }) => from === 'Ollama' || from === 'LM Studio');
  // VS Code keeps the folders of extensions two levels below the folder of the person.
  const userFolder = path.dirname(path.dirname(storage));
  return findImports({ ...machine, userFolder, workspaceFolders: folders }, onDisk);
}

/** The person's own values. What a workspace sets is not carried over to other workspaces. */
function ownSettings(): Readonly<Record<(typeof names)[number], unknown>> {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const entries = names.map((name) => [name, configuration.inspect(name)?.globalValue] as const);
  return Object.fromEntries(entries) as Record<(typeof names)[number], unknown>;
}

function localFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

/** `undefined`: the person left. Items that cannot be taken are listed with the reason, and cannot be ticked. */
function chooseItems(judged: readonly JudgedItem[]): Promise<readonly ImportItem[] | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = vscode.l10n.t('Import Settings');
  pick.placeholder = vscode.l10n.t('Tick what to take over. Nothing is changed in the other programs.');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = [
    ...listed(vscode.l10n.t('Can be taken over'), judged, 'new'),
    ...listed(vscode.l10n.t('Already here'), judged, 'present'),
    ...listed(vscode.l10n.t('Cannot be taken over'), judged, 'refused'),
  ];
  return new Promise((resolve) => {
    pick.onDidChangeSelection((selected) => {
      const takeable = selected.filter(isNew);
      if (takeable.length !== selected.length) pick.selectedItems = takeable;
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.filter(isNew).map(({ judged: { item } }) => item));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function isNew(item: Item): item is Item & { readonly judged: JudgedItem } {
  return item.judged?.state === 'new';
}

function listed(title: string, judged: readonly JudgedItem[], state: JudgedItem['state']): readonly Item[] {
  const items = judged.filter((one) => one.state === state);
  if (items.length === 0) return [];
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...items.map((one) => ({
      label: `$(${icons[one.item.what]}) ${pickText(one.item.name)}`,
      description: pickText(`${kindText(one.item)} · ${placeText(one.item.place)}`),
      detail: pickText(judgedText(one)),
      judged: one,
    })),
  ];
}

/** Asks which keys to copy; none is ticked. `undefined`: the person left. */
async function chooseKeys(keys: readonly FoundKey[]): Promise<readonly FoundKey[] | undefined> {
  if (keys.length === 0) return [];
  const picked = await vscode.window.showQuickPick(
    keys.map((key) => ({
      label: `$(key) ${pickText(key.label)}`,
      detail:
        'field' in key
          ? vscode.l10n.t('Would be copied into your settings, where MCP servers have their keys, as readable text.')
          : vscode.l10n.t('Would be copied into the secret storage of VS Code, and sent to this server only.'),
      key,
    })),
    {
      title: vscode.l10n.t('Copy Keys Too?'),
      placeHolder: vscode.l10n.t('Tick the keys to copy. Without them the rest is imported.'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  return picked?.map(({ key }) => key);
}

async function sayWhatBecame(
  judged: readonly JudgedItem[],
  chosen: readonly ImportItem[],
  problems: readonly string[],
): Promise<void> {
  const [select, report] = [vscode.l10n.t('Select Profile…'), vscode.l10n.t('Show Report')];
  const hasProfile = chosen.some(({ becomes }) => becomes.kind === 'profile');
  const count =
    chosen.length === 1
      ? vscode.l10n.t('1 item was imported.')
      : vscode.l10n.t('{0} items were imported.', chosen.length);
  const text = [count, ...problems].join(' ');
  const answer = await vscode.window.showInformationMessage(text, ...(hasProfile ? [select] : []), report);
  if (answer === select) await vscode.commands.executeCommand('openAgent.selectProfile');
  if (answer === report) await showReport(judged, chosen);
}

async function showReport(judged: readonly JudgedItem[], chosen: readonly ImportItem[]): Promise<void> {
  const content = importReport(judged, new Set(chosen));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
}
