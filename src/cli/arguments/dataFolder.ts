import path from 'node:path';

/** Where the command line keeps what is its own, below the person's home. */
export interface DataFolder {
  /** All of it. */
  readonly folder: string;
  readonly settingsFile: string;
  readonly sessions: string;
  /** What files held before the agent changed them. */
  readonly checkpoints: string;
  /** What commands printed. */
  readonly outputs: string;
  /** What runs, to be found again after a crash. */
  readonly runningCommands: string;
  /** Which MCP servers were allowed. */
  readonly pinFile: string;
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
    pinFile: path.join(folder, 'mcp-servers.json'),
  };
}
