import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Whether a session of the command line, started in the folder with this URI, belongs to what is open here. */
export function isInFolders(uri: string | null, folders: readonly { readonly path: string }[]): boolean {
  if (uri === null || !uri.startsWith('file:')) return false;
  let folder: string;
  try {
    folder = fileURLToPath(uri);
  } catch {
    // An address of another machine: not one of ours.
    return false;
  }
  return folders.some((open) => folder === open.path || folder.startsWith(open.path + path.sep));
}
