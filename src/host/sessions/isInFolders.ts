import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

/**
 * Whether a session of the command line, started in the folder with this URI, belongs to what is open here. The command
 * line names a folder by its real path, VS Code as it was opened.
 */
export function isInFolders(uri: string | null, folders: readonly { readonly path: string }[]): boolean {
  if (uri === null || !uri.startsWith('file:')) return false;
  let folder: string;
  try {
    folder = fileURLToPath(uri);
  } catch {
    // An address of another machine: not one of ours.
    return false;
  }
  return folders.some((open) => isWithin(folder, open.path) || isWithin(folder, realPathOf(open.path)));
}

function isWithin(folder: string, open: string): boolean {
  return folder === open || folder.startsWith(open + path.sep);
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Gone, or on no disk: it has no other name.
    return folder;
  }
}
