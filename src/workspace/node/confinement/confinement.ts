import { execFile } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { CommandConfinement, Confinement } from '../../ports';
import { bubblewrapArguments, type FoundFile } from './bubblewrap';

export interface NodeConfinement extends CommandConfinement {
  /** The program and arguments that run `file` with `args` confined. Only to be called after `findProblem` found none. */
  wrap(
    command: { readonly file: string; readonly args: readonly string[]; readonly cwd: string },
    confinement: Confinement,
  ): { readonly file: string; readonly args: readonly string[] };
}

export interface ConfinementOptions {
  /** Absolute path of bubblewrap; `undefined`: not installed. Default: the usual places. */
  readonly program?: string | undefined;
  readonly platform?: string | undefined;
  readonly home?: string | undefined;
  /** The name of the setting that confines commands, for messages. */
  readonly setting?: string | undefined;
}

/** PATH is not searched: it may contain folders of a workspace. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

/** Confines commands with bubblewrap, on Linux. */
export function createConfinement(options: ConfinementOptions = {}): NodeConfinement {
  const { platform = process.platform, home = homedir(), setting = 'openAgent.confineCommands' } = options;
  const wayOut = `Or turn ${setting} off.`;
  const findProgram = (): string | undefined =>
    'program' in options ? options.program : PLACES.find((place) => existsSync(place));
  const argsFor = (confinement: Confinement, cwd: string): readonly string[] =>
    bubblewrapArguments(confinement, { home, cwd, find });
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
      const failure = await tryProgram(program, argsFor({ allowsNetwork: false, writable: [] }, '/'));
      if (failure === undefined) return undefined;
      return `${program} does not work here: ${failure}. The system may forbid user namespaces. ${wayOut}`;
    },
    wrap({ file, args, cwd }, confinement) {
      const program = findProgram();
      if (program === undefined) throw new Error('bubblewrap is not installed any more.');
      return { file: program, args: [...argsFor(confinement, cwd), file, ...args] };
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
    return { kind: statSync(realPath).isDirectory() ? 'directory' : 'file', realPath };
  } catch {
    // It does not exist, or cannot be seen, and then the command cannot see it either.
    return undefined;
  }
}
