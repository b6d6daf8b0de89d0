import type { WorkspacePorts } from '../ports';
import { createNodeCommandRunner } from './commands/nodeCommandRunner';
import { createNodeFileSystem } from './files/nodeFileSystem';
import { createNodeTextSearch } from './search/nodeTextSearch';

/** The workspace on plain Node: for the command line, and where VS Code has nothing better. */
export function createNodePorts(): WorkspacePorts {
  return {
    fileSystem: createNodeFileSystem(),
    commandRunner: createNodeCommandRunner(),
    textSearch: createNodeTextSearch(),
  };
}
