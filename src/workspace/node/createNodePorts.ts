import type { WorkspacePorts } from '../ports';
import { createNodeCommandRunner } from './nodeCommandRunner';
import { createNodeFileSystem } from './nodeFileSystem';
import { createNodeTextSearch } from './nodeTextSearch';

/** The workspace on plain Node: for the command line, and where VS Code has nothing better. */
export function createNodePorts(): WorkspacePorts {
  return {
    fileSystem: createNodeFileSystem(),
    commandRunner: createNodeCommandRunner(),
    textSearch: createNodeTextSearch(),
  };
}
