import { createHash } from 'node:crypto';
import path from 'node:path';

/** The open workspace. */
export interface OpenWorkspace {
  /** URI of the folder or of the `.code-workspace` file. */
  readonly uri: string;
  readonly name: string;
}

/**
 * The folder of a workspace's session files, in the extension's storage. The name helps people; the hash of the URI
 * keeps workspaces apart.
 */
export function sessionsDirectory(storage: string, workspace: OpenWorkspace | undefined): string {
  return path.join(storage, 'workspaces', workspace ? folderName(workspace) : 'no-folder', 'sessions');
}

function folderName({ name, uri }: OpenWorkspace): string {
  const plain = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 40)
    .replace(/^[.-]+|[.-]+$/g, '');
  const hash = createHash('sha256').update(uri).digest('hex').slice(0, 12);
  return `${plain || 'workspace'}-${hash}`;
}
