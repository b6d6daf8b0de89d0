import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

/**
 * Whether a session of the command line belongs to the open folders. `uri`: the folder where the command line ran. The
 * command line uses real paths; VS Code uses paths as they were opened.
 */
export function isInFolders(uri: string | null, folders: readonly { readonly path: string }[]): boolean {
  if (uri === null || !uri.startsWith('file:')) return false;
  let folder: string;
  try {
    folder = fileURLToPath(uri);
  } catch {
    // The address names another machine.
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
    // The folder is gone or not on disk, so it has no other path.
    return folder;
  }
}
