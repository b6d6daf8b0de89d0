import path from 'node:path';
import * as vscode from 'vscode';
import { commandOptionsOf } from '../../agent/configuration/agentSettings';
import { createOwnSkills } from '../../agent/customization/skills';
import type { DisposableStore } from '../../util/disposable';
import { followCommands, type FollowedCommands } from '../../workspace/followCommands';
import { createNodeCommands, type NodeCommands } from '../../workspace/node/commands/createNodeCommands';
import { createDraftRecords } from '../../workspace/node/files/draftRecords';
import { createNodePorts } from '../../workspace/node/createNodePorts';
import type { FileSystem, OwnSkills } from '../../workspace/ports';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { createCheckpoints, type Checkpoints } from './createCheckpoints';
import { checkpointLimits } from '../settings/checkpointSettings';
import { readSettings } from '../settings/settings';
import { offerOrphans } from '../terminal/offerOrphans';
import { inTerminalOrNot, TerminalCommands } from '../terminal/terminalCommands';
import { ownFolder } from '../workspace/ownFolder';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { createVscodePorts } from './createVscodePorts';

/** The files, commands and checkpoints of this window. */
export interface WorkspaceTools {
  readonly access: WorkspaceAccess;
  readonly checkpoints: Checkpoints;
  readonly background: NodeCommands['ports']['backgroundCommands'];
  readonly outputs: NodeCommands['outputs'];
  /** Resolves when every command has ended. */
  readonly settled: FollowedCommands['settled'];
}

export interface WorkspaceToolsParts {
  /** Absolute path of the extension's storage. */
  readonly storage: string;
  /** The folder of the workspace's sessions. Outputs and checkpoints are kept beside it. */
  readonly sessionsDirectory: string;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Composes files, searches, commands and checkpoints. Offers to end commands that an earlier window left running. */
export function openWorkspaceTools(parts: WorkspaceToolsParts): WorkspaceTools {
  const { storage, sessionsDirectory, owned, onInternalError } = parts;
  const passedVariables = (): readonly string[] => readSettings().settings.commandEnvironment;
  const { ports, records, outputs } = createNodeCommands({
    outputsDirectory: path.join(path.dirname(sessionsDirectory), 'outputs'),
    recordsDirectory: path.join(storage, 'running-commands'),
    passedVariables,
    onInternalError,
  });
  offerOrphans(records, (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons)).catch(
    onInternalError,
  );
  const drafts = createDraftRecords(path.join(storage, 'drafts'));
  drafts.clearUp(Date.now()).catch(onInternalError);
  const terminal = owned.add(new TerminalCommands({ passedVariables }));
  const { commandRunner, ...others } = createVscodePorts({ ...createNodePorts(drafts), ...ports });
  const commands = followCommands(inTerminalOrNot({ terminal, others: commandRunner }));
  return {
    access: {
      ports: { ...others, commandRunner: commands, ownSkills: ownSkillsOf(others.fileSystem) },
      roots: workspaceRoots,
      commandOptions: () => commandOptionsOf(readSettings().settings),
    },
    checkpoints: createCheckpoints({
      sessionsDirectory,
      ownFolder: storage,
      fileSystem: others.fileSystem,
      drafts,
      roots: workspaceRoots,
      limits: checkpointLimits(),
      onInternalError,
    }),
    background: ports.backgroundCommands,
    outputs,
    settled: () => commands.settled(),
  };
}

function ownSkillsOf(fileSystem: FileSystem): OwnSkills {
  return createOwnSkills({ fileSystem, roots: workspaceRoots, isTrusted: () => vscode.workspace.isTrusted, ownFolder });
}
