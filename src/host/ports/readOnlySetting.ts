import path from 'node:path';
import * as vscode from 'vscode';
import { findGlobProblem, matchesGlob } from '../../workspace/search/globs';
import { isVirtualPath } from '../../workspace/paths/virtualPaths';

/**
 * Whether settings make a file read-only: `files.readonlyInclude` minus `files.readonlyExclude`. The person's own settings count by
 * themselves too, so a workspace can only add files. A pattern above the limits of `matchesGlob` includes every file and excludes none.
 */
export function isReadOnlyBySetting(file: string): boolean {
  if (isVirtualPath(file)) return false;
  const uri = vscode.Uri.file(file);
  const files = vscode.workspace.getConfiguration('files', uri);
  const names = namesOf(uri);
  const isNamed = (patterns: unknown, ifTooLong: boolean): boolean =>
    Object.entries(patterns ?? {}).some(
      ([glob, isOn]) => isOn === true && isOneOf(names, glob.replace(/^\//, ''), ifTooLong),
    );
  const isReadOnly = (valueOf: (setting: string) => unknown): boolean =>
    isNamed(valueOf('readonlyInclude'), true) && !isNamed(valueOf('readonlyExclude'), false);
  return isReadOnly((name) => files.get(name)) || isReadOnly((name) => files.inspect(name)?.globalValue);
}

function isOneOf(names: readonly string[], glob: string, ifTooLong: boolean): boolean {
  return findGlobProblem(glob) === undefined ? names.some((name) => matchesGlob(name, glob)) : ifTooLong;
}

/** The globs match the path in the workspace folder, or the whole path. */
function namesOf(uri: vscode.Uri): readonly string[] {
  const whole = uri.path.replace(/^\/+/, '');
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const inRoot = root && path.posix.relative(root.path, uri.path);
  return inRoot ? [inRoot, whole] : [whole];
}
