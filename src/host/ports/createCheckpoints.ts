import path from 'node:path';
import type { CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import { createBlobFolder, type PruneLimits } from '../../workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../workspace/node/checkpoints/workspaceScanner';
import type { FileSystem, Root } from '../../workspace/ports';
import { foldersOnDisk } from '../../workspace/paths/roots';
import { withVirtualContents } from '../../workspace/withVirtualFiles';
import { createVirtualContents } from './virtualContents';

export type Checkpoints = Omit<CheckpointParts, 'record'>;

export interface CheckpointsParts {
  /** Of the workspace's sessions: what their files held is kept beside them. */
  readonly sessionsDirectory: string;
  /** All that the extension keeps, that directory included. */
  readonly ownFolder: string;
  readonly fileSystem: FileSystem;
  readonly roots: () => readonly Root[];
  readonly limits: PruneLimits;
  readonly onInternalError: (error: unknown) => void;
}

/** What a workspace's files held before the agent changed them. What is too old or too much is removed at once. */
export function createCheckpoints(parts: CheckpointsParts): Checkpoints {
  const { sessionsDirectory, ownFolder, fileSystem, roots, limits, onInternalError } = parts;
  const blobs = createBlobFolder(path.join(path.dirname(sessionsDirectory), 'checkpoints'));
  blobs.prune(limits, Date.now()).catch(onInternalError);
  return {
    blobs,
    contents: withVirtualContents(createFileContents(fileSystem), createVirtualContents(fileSystem)),
    // Commands change what is on disk.
    scanner: createWorkspaceScanner({ roots: () => foldersOnDisk(roots()), blobs, ownFolder }),
    onInternalError,
  };
}
