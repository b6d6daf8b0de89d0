import * as vscode from 'vscode';
import { testCommands, testNamesOf, type TestCommand } from '../../agent/testRuns/testCommands';
import { visibleText } from '../../util/text/visibleText';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { guardPath } from '../../workspace/paths/guardPath';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { quoteWord } from '../../workspace/shell/commandRules';
import { pathOf } from '../workspace/uris';

/** What can be run: a command line of ours, or a task of the workspace. */
export type TestRunChoice =
  | { readonly kind: 'command'; readonly command: string; readonly folder: vscode.WorkspaceFolder }
  | { readonly kind: 'task'; readonly task: vscode.Task };

export type TestRunItem = vscode.QuickPickItem & { readonly choice: TestRunChoice };

export interface FindTestRunsParts {
  readonly access: WorkspaceAccess;
  /** The person's check command. */
  readonly checkCommand: () => string | undefined;
  /** The names of the workspace's files. */
  readonly listNames: () => Promise<readonly string[]>;
}

const MAX_PACKAGE_BYTES = 200_000;
const MAX_TASKS = 50;

/** The tests that can be run: at the cursor, of the file, the tasks of the group Test, and the check command. */
export async function findTestRuns(parts: FindTestRunsParts): Promise<readonly TestRunItem[]> {
  const near = await nearCursor(parts);
  const folder = vscode.workspace.workspaceFolders?.[0];
  const check = parts.checkCommand();
  const tasks = await vscode.tasks.fetchTasks();
  return [
    ...near,
    ...(check !== undefined && folder ? [commandItem(vscode.l10n.t('The check command'), check, folder)] : []),
    ...tasks
      .filter(({ group }) => group?.id === vscode.TaskGroup.Test.id)
      .slice(0, MAX_TASKS)
      .map((task): TestRunItem => ({
        label: vscode.l10n.t('Task: {0}', visibleText(task.name, 'path')),
        description: visibleText(task.source, 'path'),
        choice: { kind: 'task', task },
      })),
  ];
}

async function nearCursor(parts: FindTestRunsParts): Promise<readonly TestRunItem[]> {
  const editor = vscode.window.activeTextEditor;
  const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  // PowerShell and cmd quote otherwise, and these words come from files.
  const isPosix = ['bash', 'sh', 'zsh'].includes(parts.access.ports.commandRunner.shellName);
  if (!editor || folder?.uri.scheme !== 'file' || !isPosix) return [];
  const packageJson = await readPackage(folder, parts.access);
  const path = vscode.workspace.asRelativePath(editor.document.uri, false);
  const line = editor.selection.active.line + 1;
  const own = testCommands({ path, line, text: editor.document.getText(), packageJson });
  if (own.length > 0) return own.map((command) => itemOf(command, path, folder));
  const wanted = new Set(testNamesOf(path));
  if (wanted.size === 0) return [];
  const inFolder = vscode.workspace.workspaceFolders?.length === 1;
  const beside = inFolder ? (await parts.listNames()).filter((name) => wanted.has(name.split('/').at(-1) ?? name)) : [];
  return beside
    .slice(0, MAX_BESIDE)
    .flatMap((name) =>
      testCommands({ path: name, line: 1, text: '', packageJson }).map((command) => itemOf(command, name, folder)),
    );
}

const MAX_BESIDE = 3;

function itemOf({ test, argv }: TestCommand, path: string, folder: vscode.WorkspaceFolder): TestRunItem {
  const file = visibleText(path.split('/').at(-1) ?? path, 'path');
  const label =
    test === undefined
      ? vscode.l10n.t('All tests of {0}', file)
      : vscode.l10n.t('“{0}” in {1}', visibleText(test, 'path').slice(0, 80), file);
  return commandItem(label, argv.map(quoteWord).join(' '), folder);
}

function commandItem(label: string, command: string, folder: vscode.WorkspaceFolder): TestRunItem {
  return { label, detail: visibleText(command, 'command'), choice: { kind: 'command', command, folder } };
}

async function readPackage(
  folder: vscode.WorkspaceFolder,
  { ports, roots }: WorkspaceAccess,
): Promise<string | undefined> {
  const { fileSystem } = ports;
  const file = vscode.Uri.joinPath(folder.uri, 'package.json');
  const guarded = await guardPath(pathOf(file) ?? '', { roots: roots(), fileSystem });
  if (!guarded.ok || !guarded.path.exists || isReadingProtected(guarded.path)) return undefined;
  const { realPath } = guarded.path;
  const stat = await fileSystem.stat(realPath);
  if (stat?.kind !== 'file' || stat.size > MAX_PACKAGE_BYTES) return undefined;
  return (await fileSystem.openText(realPath)).text;
}
