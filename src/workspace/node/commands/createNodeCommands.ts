import type { WorkspacePorts } from '../../ports';
import { createConfinement, type ConfinementOptions } from '../confinement/confinement';
import { createNodeBackgroundCommands, type OwnedBackgroundCommands } from './nodeBackgroundCommands';
import { createNodeCommandRunner } from './nodeCommandRunner';
import { createOutputFolder, type OutputFolder } from './outputFolder';
import { createCommandRecords, type CommandRecords } from './commandRecords';

export interface NodeCommands {
  readonly ports: Pick<WorkspacePorts, 'commandRunner' | 'commandOutputs' | 'confinement'> & {
    readonly backgroundCommands: OwnedBackgroundCommands;
  };
  readonly outputs: OutputFolder;
  readonly records: CommandRecords;
}

export interface NodeCommandsParts {
  /** Where the outputs of a workspace's commands are kept. */
  readonly outputsDirectory: string;
  /** Where it is said what runs: one for all workspaces, so that any window finds what another left behind. */
  readonly recordsDirectory: string;
  /** How commands are confined; as usual by default. */
  readonly confinement?: ConfinementOptions | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Commands whose outputs are kept and that are found again after a crash. Outputs that are too old are removed at once.
 * Whoever calls disposes the background commands.
 */
export function createNodeCommands({
  outputsDirectory,
  recordsDirectory,
  confinement: confinementOptions,
  onInternalError,
}: NodeCommandsParts): NodeCommands {
  const outputs = createOutputFolder(outputsDirectory);
  const records = createCommandRecords(recordsDirectory);
  const confinement = createConfinement(confinementOptions);
  outputs.prune(Date.now()).catch(onInternalError);
  const options = { outputs, records, confinement };
  return {
    ports: {
      commandRunner: createNodeCommandRunner(options),
      backgroundCommands: createNodeBackgroundCommands({ ...options, onInternalError }),
      commandOutputs: outputs,
      confinement,
    },
    outputs,
    records,
  };
}
