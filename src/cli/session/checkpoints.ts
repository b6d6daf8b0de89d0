import path from 'node:path';
import { createBlobFolder, type PruneLimits } from '../../workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../workspace/node/checkpoints/fileContents';
import { createNodeFileSystem } from '../../workspace/node/files/nodeFileSystem';
import { createWorkspaceScanner } from '../../workspace/node/checkpoints/workspaceScanner';
import type { AgentContext } from '../agent/createAgentContext';
import { removeEmptyFolders } from '../../workspace/node/checkpoints/removeEmptyFolders';

/** What is kept of earlier contents, in all folders together. */
export const CHECKPOINT_LIMITS: PruneLimits = { maxAgeMs: 30 * 24 * 60 * 60_000, maxBytes: 500_000_000 };

/**
 * Opens the earlier contents of changed files. All folders share them. Deletes old contents, and the oldest when there
 * are too many bytes.
 */
export function openCheckpoints({ data, folder, drafts, onInternalError }: AgentContext) {
  const roots = [{ name: path.basename(folder) || folder, path: folder }];
  const fileSystem = createNodeFileSystem(drafts);
  const blobs = createBlobFolder(data.checkpoints);
  blobs.prune(CHECKPOINT_LIMITS, Date.now()).catch(onInternalError);
  const checkpoints = {
    blobs,
    contents: createFileContents(fileSystem, drafts),
    scanner: createWorkspaceScanner({ roots: () => roots, blobs, ownFolder: data.folder }),
    onInternalError,
  };
  return { checkpoints, fileSystem, roots: () => roots, removeEmptyFolders };
}
