import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { CommandConfinement, Confinement } from '../../ports';
import { bubblewrapArguments, FILTER_DESCRIPTOR } from './bubblewrap';
import { messageOf } from '../../../util/errors';
import { configuredFiles } from './configuredFiles';
import { findSandboxEntries } from './findSandboxEntries';
import { hiddenPlaces } from './hiddenFiles';
import { Placeholders } from './placeholders';
import { find, findProcessLists, findSockets, list } from './readMachine';
import { sandboxArguments } from './sandboxArguments';
import { systemCallFilter } from './systemCallFilter';
import { guardWorkspace } from './workspaceGuard';

/** A confined program that is about to run. */
export interface ConfinedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** To be sent with `sendFilter` as soon as the program is started, with a pipe at the descriptor `FILTER_DESCRIPTOR`. */
  readonly filter: Uint8Array;
  /** To be called when none of its processes runs any more, or when it could not be started. */
  end(): Promise<void>;
}

export interface NodeConfinement extends CommandConfinement {
  /**
   * The program and arguments that run `file` with `args` confined. Only to be called after `findProblem` found none.
   * Rejects if that is not possible. `onSetAside` gets a line for each file that was moved out of the workspace.
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
  /** The PATH of commands; for the sandbox, which shows the programs in it. */
  readonly searchPath?: string | undefined;
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
  const argsFor = (confinement: Confinement, cwd: string, protectedPaths: readonly string[]): readonly string[] => {
    const hidden = [...hiddenPlaces(home), ...findProcessLists()];
    return bubblewrapArguments(confinement, { hidden, sockets: findSockets(), list, cwd, find, protectedPaths });
  };
  const sandboxArgs = async (
    { writable, programs = [] }: Confinement,
    cwd: string,
    protectedPaths: readonly string[],
  ): Promise<readonly string[]> => {
    const { searchPath = process.env['PATH'] ?? '' } = options;
    const { hidden, readOnly } = await findSandboxEntries(writable);
    return sandboxArguments(writable, {
      hidden: [...hidden, ...hiddenPlaces(home), ...findProcessLists()],
      readOnly,
      protectedPaths,
      home,
      searchPath: [...programs, ...searchPath.split(path.delimiter)],
      sockets: findSockets(),
      list,
      cwd,
      find,
    });
  };
  const own: NodeConfinement = {
    async findProblem() {
      if (platform !== 'linux') return `commands can be confined on Linux only. ${wayOut}`;
      const program = findProgram();
      if (program === undefined) {
        return (
          'bubblewrap is not installed (Debian, Ubuntu: "sudo apt install bubblewrap"; Fedora: "sudo dnf install ' +
          `bubblewrap"; Arch: "sudo pacman -S bubblewrap"). ${wayOut}`
        );
      }
      const filter = systemCallFilter();
      if (!filter) return `commands cannot be confined on this processor (${process.arch}). ${wayOut}`;
      const args = argsFor({ allowsNetwork: false, writable: [] }, '/', []);
      const failure = await tryProgram(program, [...args, 'true'], filter);
      if (failure === undefined) return undefined;
      return `${program} does not work here: ${failure}. The system may forbid user namespaces. ${wayOut}`;
    },
    async findSandboxProblem(confinement, cwd) {
      const problem = await own.findProblem();
      if (problem !== undefined) return problem;
      try {
        const command = { file: 'true', args: [], cwd };
        const begun = await own.begin(command, confinement, { onSetAside: () => {} });
        const failure = await tryProgram(begun.file, begun.args, begun.filter);
        await begun.end();
        return failure;
      } catch (error) {
        return messageOf(error);
      }
    },
    async begin({ file, args, cwd }, confinement, { onSetAside }) {
      const program = findProgram();
      const filter = systemCallFilter();
      if (program === undefined || !filter) throw new Error('bubblewrap is not installed any more.');
      const roots = confinement.writable;
      const held = await placeholders.hold(
        roots.flatMap((root) => ['.git', '.vscode'].map((name) => path.join(root, name))),
      );
      try {
        const guard = await guardWorkspace({
          roots,
          setAsideFolder,
          onSetAside,
          isStrict: confinement.isSandbox === true,
        });
        const end = async (): Promise<void> => {
          await guard.end();
          await held.release();
        };
        try {
          const entries = guard.entries.map((entry) => entry.path);
          const repositories = [...entries, ...roots.flatMap(gitAbove)].filter(
            (file) => path.basename(file) === '.git',
          );
          const protectedPaths = [...entries, ...repositories.flatMap(configuredFiles)];
          const before = confinement.isSandbox
            ? await sandboxArgs(confinement, cwd, protectedPaths)
            : argsFor(confinement, cwd, protectedPaths);
          return { file: program, args: [...before, file, ...args], filter, end };
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
  return own;
}

/** The places of a `.git` to which a folder can belong. */
function gitAbove(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [path.join(parent, '.git'), ...gitAbove(parent)];
}

/** Runs a program that does nothing. Gives the last line of the error. */
function tryProgram(program: string, args: readonly string[], filter: Uint8Array): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], timeout: 10_000 });
    let errors = '';
    child.stderr?.on('data', (bytes: Buffer) => (errors = (errors + bytes.toString()).slice(-1000)));
    sendFilter(child, filter);
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(undefined);
      resolve(errors.trim().split('\n').at(-1)?.slice(0, 300) || `it ended with ${code ?? signal}`);
    });
  });
}

/** Gives bubblewrap the filter through the descriptor that `bubblewrapArguments` names. */
export function sendFilter(child: ChildProcess, filter: Uint8Array): void {
  const input = child.stdio[FILTER_DESCRIPTOR] as Writable | null | undefined;
  // Bubblewrap may end before it has read it. Then it says why.
  input?.on('error', () => {});
  input?.end(filter);
}
