import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { CommandConfinement, Confinement } from '../../ports';
import { bubblewrapArguments, type FoundFile } from './bubblewrap';
import { Placeholders } from './placeholders';
import { guardWorkspace } from './workspaceGuard';

/** A confined program that is about to run. */
export interface ConfinedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** To be called when none of its processes runs any more, or when it could not be started. */
  end(): Promise<void>;
}

export interface NodeConfinement extends CommandConfinement {
  /**
   * The program and arguments that run `file` with `args` confined. Only to be called after `findProblem` found none. Rejects if
   * that is not possible. `onSetAside` gets a line for each file that was moved out of the workspace.
   */
  begin(
    command: { readonly file: string; readonly args: readonly string[]; readonly cwd: string },
    confinement: Confinement,
    options: { readonly onSetAside: (line: string) => void },
  ): Promise<ConfinedProgram>;
}

export interface ConfinementOptions {
  /** Absolute path of bubblewrap; `undefined`: not installed. Default: the usual places. */
  readonly program?: string | undefined;
  readonly platform?: string | undefined;
  readonly home?: string | undefined;
  /** The name of the setting that confines commands, for messages. */
  readonly setting?: string | undefined;
  /** The folder for files that a command must not create. Default: in the command line's folder. */
  readonly setAsideFolder?: string | undefined;
}

/** PATH is not searched: it may contain folders of a workspace. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Confines commands with bubblewrap, on Linux. */
export function createConfinement(options: ConfinementOptions = {}): NodeConfinement {
  const { platform = process.platform, home = homedir(), setting = 'openAgent.confineCommands' } = options;
  const wayOut = `Or turn ${setting} off.`;
  const findProgram = (): string | undefined =>
    'program' in options ? options.program : PLACES.find((place) => existsSync(place));
  const { setAsideFolder = path.join(home, '.open-agent', 'set-aside') } = options;
  const placeholders = new Placeholders();
  return {
    async findProblem() {
      if (platform !== 'linux') return `commands can be confined on Linux only. ${wayOut}`;
      const program = findProgram();
      if (program === undefined) {
        return (
          'bubblewrap is not installed (Debian, Ubuntu: "sudo apt install bubblewrap"; Fedora: "sudo dnf install ' +
          `bubblewrap"; Arch: "sudo pacman -S bubblewrap"). ${wayOut}`
        );
      }
      const world = { home, cwd: '/', find, protectedPaths: [] };
      const args = bubblewrapArguments({ allowsNetwork: false, writable: [] }, world);
      const failure = await tryProgram(program, args);
      if (failure === undefined) return undefined;
      return `${program} does not work here: ${failure}. The system may forbid user namespaces. ${wayOut}`;
    },
    async begin({ file, args, cwd }, confinement, { onSetAside }) {
      const program = findProgram();
      if (program === undefined) throw new Error('bubblewrap is not installed any more.');
      const roots = confinement.writable;
      const held = await placeholders.hold(
        roots.flatMap((root) => ['.git', '.vscode'].map((name) => path.join(root, name))),
      );
      try {
        const guard = await guardWorkspace({ roots, setAsideFolder, onSetAside });
        const end = async (): Promise<void> => {
          await guard.end();
          await held.release();
        };
        try {
          const protectedPaths = guard.entries.map((entry) => entry.path);
          const own = bubblewrapArguments(confinement, { home, cwd, find, protectedPaths });
          return { file: program, args: [...own, file, ...args], end };
        } catch (error) {
          await guard.end();
          throw error;
        }
      } catch (error) {
        await held.release();
        throw error;
      }
    },
  };
}

function tryProgram(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...args, 'true'], { timeout: 10_000 }, (error, _stdout, stderr) => {
      if (!error) return resolve(undefined);
      resolve(stderr.trim().split('\n').at(-1)?.slice(0, 300) || error.message);
    });
  });
}

function find(file: string): FoundFile | undefined {
  try {
    const realPath = realpathSync(file);
    const stat = statSync(realPath);
    return { kind: stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other', realPath };
  } catch {
    // It does not exist, or cannot be seen, and then the command cannot see it either.
    return undefined;
  }
}
