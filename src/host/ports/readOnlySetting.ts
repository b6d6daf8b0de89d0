import path from 'node:path';
import * as vscode from 'vscode';
import { matchesGlob } from '../../workspace/search/globs';
import { isVirtualPath } from '../../workspace/paths/virtualPaths';

/** Whether the person's settings make a file read-only: `files.readonlyInclude` minus `files.readonlyExclude`. */
export function isReadOnlyBySetting(file: string): boolean {
  if (isVirtualPath(file)) return false;
  const uri = vscode.Uri.file(file);
  const files = vscode.workspace.getConfiguration('files', uri);
  const names = namesOf(uri);
  const isNamed = (setting: string): boolean =>
    Object.entries(files.get<Record<string, unknown>>(setting) ?? {}).some(
      ([glob, isOn]) => isOn === true && names.some((name) => matchesGlob(name, glob.replace(/^\//, ''))),
    );
  return isNamed('readonlyInclude') && !isNamed('readonlyExclude');
}

/** The globs match the path in the workspace folder, or the whole path. */
function namesOf(uri: vscode.Uri): readonly string[] {
  const whole = uri.path.replace(/^\/+/, '');
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const inRoot = root && path.posix.relative(root.path, uri.path);
  return inRoot ? [inRoot, whole] : [whole];
}
