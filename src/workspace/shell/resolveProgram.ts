import * as l10n from '../../util/l10n';
import path from 'node:path';
import type { PathFlavour } from '../paths/roots';
import { isInside } from '../paths/roots';
import { unsafe } from './commandReasons';
import type { ShellName } from './parse/analysis';
import { findVersionManager, type FolderDecides } from './versionManagers';

/** What a name starts: a program, a command of the shell itself, or something that must not start unasked. */
export type ResolvedProgram =
  | {
      readonly kind: 'program';
      readonly path: string;
      /** Set if a version manager starts it: what files of the current folder decide. */
      readonly folderDecides?: FolderDecides;
    }
  | { readonly kind: 'builtin' }
  | { readonly kind: 'unsafe'; readonly path?: string | undefined; readonly reason: string };

export interface ResolveOptions {
  readonly shell: ShellName;
  /** Absolute, real path. */
  readonly cwd: string;
  /** The PATH that the command will get. */
  readonly searchPath: string;
  /** PATHEXT on Windows. */
  readonly extensions?: string | undefined;
  /** Real paths of the workspace folders. */
  readonly rootPaths: readonly string[];
  /** The real path of an executable file, or `undefined`. */
  readonly findExecutable: (absolute: string) => Promise<string | undefined>;
  readonly flavour?: PathFlavour | undefined;
}

/**
 * Finds the program that a plain command name starts, as the shell will. A bare name is `unsafe` if the workspace could
 * supply the program, through PATH or the current folder. A name with a folder is safe: a person reads where it leads.
 */
export async function resolveProgram(name: string, options: ResolveOptions): Promise<ResolvedProgram> {
  const { shell, cwd, searchPath, rootPaths, flavour = path } = options;
  if (isBuiltin(name, shell)) return { kind: 'builtin' };
  const isWindows = flavour.sep === '\\';
  const names = candidates(name, isWindows ? (options.extensions ?? '.COM;.EXE;.BAT;.CMD') : '');
  const find = async (folder: string): Promise<string | undefined> => {
    for (const candidate of names) {
      const found = await options.findExecutable(flavour.join(folder, candidate));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  if (name.includes('/') || (isWindows && name.includes('\\'))) {
    const named = flavour.resolve(cwd, name);
    return program(flavour.dirname(named), (await options.findExecutable(named)) ?? named, flavour);
  }
  if (shell === 'cmd') {
    const found = await find(cwd);
    if (found !== undefined) return elsewhere(name, found, l10n.t('in the current folder, where cmd looks first'));
  }
  for (const folder of searchPath.split(flavour.delimiter)) {
    if (!flavour.isAbsolute(folder)) {
      return { kind: 'unsafe', reason: unsafe.dependsOnFolder(name, folder) };
    }
    const found = await find(folder);
    if (found === undefined) continue;
    const isInWorkspace = [found, folder].some((place) => rootPaths.some((root) => isInside(place, root, flavour)));
    if (isInWorkspace) return elsewhere(name, found, l10n.t('in the workspace'));
    return program(folder, found, flavour);
  }
  return { kind: 'unsafe', reason: unsafe.noProgram(name) };
}

function program(folder: string, found: string, flavour: PathFlavour): ResolvedProgram {
  const folderDecides = findVersionManager(folder, found, flavour);
  return { kind: 'program', path: found, ...(folderDecides && { folderDecides }) };
}

function elsewhere(name: string, file: string, place: string): ResolvedProgram {
  return { kind: 'unsafe', path: file, reason: unsafe.elsewhere(name, file, place) };
}

function candidates(name: string, extensions: string): readonly string[] {
  const endings = extensions.split(';').filter((ending) => ending !== '');
  const hasEnding = endings.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  return endings.length === 0 || hasEnding ? [name] : endings.map((ending) => name + ending);
}

/** Without the builtins of `shellBuiltins`, which no plain command names. Cmdlets and their aliases come before programs. */
function isBuiltin(name: string, shell: ShellName): boolean {
  if (shell === 'powershell') return /^[A-Za-z]+-[A-Za-z]+$/.test(name) || POWERSHELL_ALIASES.has(name.toLowerCase());
  // Other shells would look for a program of this name.
  if (name === '[[') return shell === 'bash';
  return shell !== 'cmd' && POSIX_BUILTINS.has(name);
}

const POSIX_BUILTINS: ReadonlySet<string> = new Set([
  'echo',
  'printf',
  'pwd',
  'true',
  'false',
  'kill',
  'command',
  'test',
  '[',
  'type',
  'ulimit',
  'umask',
]);
const POWERSHELL_ALIASES: ReadonlySet<string> = new Set(
  'cat clc clear cls compare copy cp cpi del diff dir echo erase fl ft fw gc gci gcm gi gl gm gp group h kill ls man md measure mi move mp mv ps pwd rd ren ri rm rmdir rni select sleep sls sort tee type write'.split(
    ' ',
  ),
);
