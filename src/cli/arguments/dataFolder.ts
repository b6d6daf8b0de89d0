import path from 'node:path';

/** The command line's own files, below the person's home. */
export interface DataFolder {
  /** The folder that holds the others. */
  readonly folder: string;
  readonly settingsFile: string;
  readonly sessions: string;
  /** Earlier contents of files that the agent changed. */
  readonly checkpoints: string;
  /** Outputs of commands. */
  readonly outputs: string;
  /** A file for each running command, to find it again after a crash. */
  readonly runningCommands: string;
  /** A file for each workspace file that is being written, to remove its draft after a crash. */
  readonly drafts: string;
  /** Which MCP servers are allowed. */
  readonly pinFile: string;
  /** What servers reject, as learned. */
  readonly quirkFile: string;
  /** The results of exams. */
  readonly exams: string;
  /** Models on this machine, and the programs that run them. */
  readonly localModels: string;
  /** Holds the path of another folder for them, as `setup --folder` was told. */
  readonly localModelsPath: string;
  /** The program's own code, compiled. */
  readonly codeCache: string;
}

export function dataFolderIn(homeDirectory: string): DataFolder {
  const folder = path.join(homeDirectory, '.open-agent');
  return {
    folder,
    settingsFile: path.join(folder, 'settings.json'),
    sessions: path.join(folder, 'sessions'),
    checkpoints: path.join(folder, 'checkpoints'),
    outputs: path.join(folder, 'outputs'),
    runningCommands: path.join(folder, 'running-commands'),
    drafts: path.join(folder, 'drafts'),
    pinFile: path.join(folder, 'mcp-servers.json'),
    quirkFile: path.join(folder, 'server-quirks.json'),
    exams: path.join(folder, 'exams.json'),
    localModels: path.join(folder, 'local-models'),
    localModelsPath: path.join(folder, 'local-models-path'),
    codeCache: path.join(folder, 'code-cache'),
  };
}
