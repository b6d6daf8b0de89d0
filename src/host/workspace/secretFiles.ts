import path from 'node:path';
import * as vscode from 'vscode';
import { guardPath, type GuardOptions } from '../../workspace/paths/guardPath';
import { holdsSecrets } from '../../workspace/paths/protectedPaths';
import { isInside } from '../../workspace/paths/roots';
import { isVirtualPath } from '../../workspace/paths/virtualPaths';
import { originalScheme, proposalScheme } from '../diffPreview/proposalUris';
import { displayPathOf } from './displayPathOf';
import { pathOf } from './uris';
import { workspaceRoots } from './workspaceRoots';

/**
 * Whether a document may hold secrets, by any name of its file: a link or a hard link in the workspace may be another name
 * of `.env`. True for a file that cannot be looked at.
 */
export type MayHoldSecrets = (uri: vscode.Uri) => Promise<boolean>;

export function createSecretCheck(fileSystem: GuardOptions['fileSystem']): MayHoldSecrets {
  return async (uri) => {
    const look = await lookForSecrets(uri, { roots: workspaceRoots(), fileSystem });
    return !look.ok || look.mayHoldSecrets;
  };
}

type Look =
  | { readonly ok: true; readonly mayHoldSecrets: boolean }
  /** The file cannot be looked at. */
  | { readonly ok: false; readonly error: string };

/** The same, and why a file cannot be looked at. */
export async function lookForSecrets(
  uri: vscode.Uri,
  { roots, fileSystem }: Pick<GuardOptions, 'roots' | 'fileSystem'>,
): Promise<Look> {
  const names = [displayPathOf(uri), uri.path];
  const file = fileOf(uri, roots);
  if (file !== undefined) {
    const guarded = await guardPath(file, { roots, fileSystem, outside: 'mark' });
    if (!guarded.ok) return guarded;
    const { realPath, alsoNamed = [] } = guarded.path;
    if (alsoNamed === 'unknown') return { ok: true, mayHoldSecrets: true };
    names.push(realPath, ...alsoNamed);
  }
  return { ok: true, mayHoldSecrets: names.some(holdsSecrets) };
}

/** The file whose text a document shows, also in a diff; `undefined`: there is none that could have other names. */
function fileOf(uri: vscode.Uri, roots: GuardOptions['roots']): string | undefined {
  if (uri.scheme === 'untitled') return undefined;
  if (uri.scheme === 'git') return vscode.Uri.file(uri.path).fsPath;
  if (uri.scheme === proposalScheme || uri.scheme === originalScheme) return uri.path.slice(1);
  const file = pathOf(uri);
  if (file !== undefined && !isVirtualPath(file)) return file;
  if (file !== undefined && roots.some((root) => isInside(file, root.path, path.posix))) return file;
  // Cells of notebooks, histories and merges have schemes of their own, and the path of their file.
  const onDisk = vscode.Uri.file(uri.path).fsPath;
  return roots.some((root) => isInside(onDisk, root.path)) ? onDisk : undefined;
}
