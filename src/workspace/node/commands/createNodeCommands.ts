import path from 'node:path';
import type { WorkspacePorts } from '../../ports';
import type { PassedVariables } from './commandEnvironment';
import { createConfinement, type ConfinementOptions } from '../confinement/confinement';
import { pruneSetAside } from '../confinement/setAside';
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
  /** The folder for the outputs of a workspace's commands. */
  readonly outputsDirectory: string;
  /** The folder for records of running commands. All workspaces share it, so any window finds leftover commands. */
  readonly recordsDirectory: string;
  /** How commands are confined. */
  readonly confinement?: ConfinementOptions | undefined;
  /** Variables to pass on to commands although they look like secrets; read for each command. */
  readonly passedVariables?: (() => PassedVariables) | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Commands whose outputs are stored, and that are found again after a crash. Removes old outputs, and old files that were
 * set aside, at once. The caller disposes the background commands.
 */
export function createNodeCommands({
  outputsDirectory,
  recordsDirectory,
  confinement: confinementOptions,
  passedVariables,
  onInternalError,
}: NodeCommandsParts): NodeCommands {
  const outputs = createOutputFolder(outputsDirectory);
  const records = createCommandRecords(recordsDirectory);
  const setAsideFolder = path.join(path.dirname(outputsDirectory), 'set-aside');
  const confinement = createConfinement({ setAsideFolder, ...confinementOptions });
  outputs.prune(Date.now()).catch(onInternalError);
  pruneSetAside(setAsideFolder, Date.now()).catch(onInternalError);
  const options = { outputs, records, confinement, passedVariables };
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
