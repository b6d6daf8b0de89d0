import path from 'node:path';
import type { CheckpointParts } from '../../workspace/checkpoints/withCheckpoints';
import { createBlobFolder, type PruneLimits } from '../../workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../workspace/node/checkpoints/fileContents';
import { createWorkspaceScanner } from '../../workspace/node/checkpoints/workspaceScanner';
import type { DraftRecords } from '../../workspace/node/files/draftRecords';
import type { FileSystem, Root } from '../../workspace/ports';
import { foldersOnDisk } from '../../workspace/paths/roots';
import { withVirtualContents } from '../../workspace/withVirtualFiles';
import { createVirtualContents } from './virtualContents';

export type Checkpoints = Omit<CheckpointParts, 'record'>;

export interface CheckpointsParts {
  /** The folder of the workspace's sessions. Checkpoints are kept beside it. */
  readonly sessionsDirectory: string;
  /** The extension's storage, which holds that directory too. */
  readonly ownFolder: string;
  readonly fileSystem: FileSystem;
  readonly drafts: DraftRecords;
  readonly roots: () => readonly Root[];
  readonly limits: PruneLimits;
  readonly onInternalError: (error: unknown) => void;
}

/** Creates the store of earlier file contents. Removes contents that are too old or too large. */
export function createCheckpoints(parts: CheckpointsParts): Checkpoints {
  const { sessionsDirectory, ownFolder, fileSystem, drafts, roots, limits, onInternalError } = parts;
  const blobs = createBlobFolder(path.join(path.dirname(sessionsDirectory), 'checkpoints'));
  blobs.prune(limits, Date.now()).catch(onInternalError);
  return {
    blobs,
    contents: withVirtualContents(createFileContents(fileSystem, drafts), createVirtualContents(fileSystem)),
    // Only folders on disk: commands change nothing else.
    scanner: createWorkspaceScanner({ roots: () => foldersOnDisk(roots()), blobs, ownFolder }),
    onInternalError,
  };
}
