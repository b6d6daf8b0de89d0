import path from 'node:path';
import type { WorkspacePorts } from '../ports';
import { createNodeCommandRunner } from './commands/nodeCommandRunner';
import { createWorkerPlanner } from './edits/workerPlanner';
import type { DraftRecords } from './files/draftRecords';
import { createNodeFileSystem } from './files/nodeFileSystem';
import { createNodeTextSearch } from './search/nodeTextSearch';

/** The ports on plain Node, for the command line and for parts that VS Code does not provide. */
export function createNodePorts(drafts?: DraftRecords): WorkspacePorts {
  return {
    fileSystem: createNodeFileSystem(drafts),
    commandRunner: createNodeCommandRunner(),
    textSearch: createNodeTextSearch(),
    // The build writes it beside this file.
    planEdits: createWorkerPlanner(path.join(__dirname, 'editWorker.js')),
  };
}
