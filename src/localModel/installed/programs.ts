import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

/** A program for models that is on this machine. */
export interface InstalledProgram {
  readonly kind: 'llama-server' | 'ollama' | 'lms';
  /** Absolute. */
  readonly file: string;
}

export interface MachineEnvironment {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly home: string;
}

const kinds = ['llama-server', 'ollama', 'lms'] as const;

/** Looks for the programs in `PATH` and in the folders where their installers put them. Starts nothing. */
export async function findPrograms(machine: MachineEnvironment): Promise<readonly InstalledProgram[]> {
  const found: InstalledProgram[] = [];
  for (const kind of kinds) {
    const name = machine.platform === 'win32' ? `${kind}.exe` : kind;
    for (const folder of [...pathFolders(machine), ...usualFolders(machine)]) {
      const file = path.join(folder, name);
      if (!(await isProgram(file))) continue;
      found.push({ kind, file });
      break;
    }
  }
  return found;
}

/** The file of a program in the absolute folders of `PATH`; `undefined`: it is not there. Starts nothing. */
export async function findInPath(
  name: string,
  machine: Pick<MachineEnvironment, 'platform' | 'env'>,
): Promise<string | undefined> {
  for (const folder of pathFolders(machine)) {
    const file = path.join(folder, machine.platform === 'win32' ? `${name}.exe` : name);
    if (await isProgram(file)) return file;
  }
  return undefined;
}

/** Whether a path leads to a file that may be run. */
export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing and forbidden are the same here.
    return false;
  }
}

function pathFolders({ platform, env }: Pick<MachineEnvironment, 'platform' | 'env'>): readonly string[] {
  const text = env['PATH'] ?? env['Path'] ?? '';
  // A relative folder would lead into the opened workspace.
  return text.split(platform === 'win32' ? ';' : ':').filter((folder) => path.isAbsolute(folder));
}

function usualFolders({ platform, env, home }: MachineEnvironment): readonly string[] {
  switch (platform) {
    case 'win32': {
      const local = env['LOCALAPPDATA'];
      const programs =
        local === undefined
          ? []
          : [path.join(local, 'Programs', 'Ollama'), path.join(local, 'Microsoft', 'WinGet', 'Links')];
      return [...programs, path.join(home, '.lmstudio', 'bin')];
    }
    case 'darwin':
      return [
        '/opt/homebrew/bin',
        '/usr/local/bin',
        '/Applications/Ollama.app/Contents/Resources',
        path.join(home, '.lmstudio', 'bin'),
      ];
    default:
      return [
        '/usr/local/bin',
        '/usr/bin',
        '/home/linuxbrew/.linuxbrew/bin',
        path.join(home, '.local', 'bin'),
        path.join(home, '.nix-profile', 'bin'),
        path.join(home, '.lmstudio', 'bin'),
      ];
  }
}
