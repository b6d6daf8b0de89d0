import path from 'node:path';
import { createNodeFileSystem } from '../../workspace/node/files/nodeFileSystem';
import { guardPath } from '../../workspace/paths/guardPath';
import { protectionOf } from '../../workspace/paths/protectedPaths';

/** Whether imported rules may be proposed for this file of a folder. Not where it is a link out of the folder, or to a shell profile. */
export async function mayTakeRules(file: string): Promise<boolean> {
  const roots = [{ name: 'w', path: path.dirname(file) }];
  const guarded = await guardPath(file, { roots, fileSystem: createNodeFileSystem() });
  return guarded.ok && protectionOf(guarded.path) !== 1;
}
