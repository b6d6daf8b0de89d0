import type { ImagePart } from '../../sdk/messages';
import { guardAgain, guardPath } from '../paths/guardPath';
import { isNameProtected } from '../paths/protectedPaths';
import type { Guarded, GuardedPath } from '../plans';
import type { CommandOutputs, FileStat, OwnSkills, PathLookup, Root, WorkspacePorts } from '../ports';
import type { SessionProblems } from '../sessionProblems';
import { findPathsLike } from './suggestPaths';

/** The ports and settings that every tool uses. */
export interface WorkspaceAccess {
  readonly ports: WorkspacePorts;
  /** The current workspace folders, with distinct names. */
  readonly roots: () => readonly Root[];
  /** The current settings for commands. */
  readonly commandOptions: () => CommandOptions;
  /** Whether the model takes images now. Absent: it takes none. */
  readonly takesImages?: (() => boolean) | undefined;
  /** Makes an image smaller if it is larger than models need. Never rejects: the image stays as it is where no panel is open. */
  readonly scaleImage?: ((image: ImagePart) => Promise<ImagePart>) | undefined;
  /** Which problems are new in the session. Absent without an editor. */
  readonly problems?: SessionProblems | undefined;
}

/** The part of `WorkspaceAccess` with which no file can be opened and nothing can be changed. */
export interface PathAccess extends Omit<WorkspaceAccess, 'ports' | 'problems'> {
  readonly ports: Pick<WorkspacePorts, 'confinement' | 'planEdits'> & {
    readonly fileSystem: PathLookup;
    readonly commandOutputs?: Pick<CommandOutputs, 'stat'> | undefined;
    readonly ownSkills?: Pick<OwnSkills, 'has'> | undefined;
    /** Only whether there are any. */
    readonly backgroundCommands?: object | undefined;
  };
}

/** The person's settings for commands. */
export interface CommandOptions {
  /** In a visible terminal, unless they are confined. */
  readonly inTerminal: boolean;
  /** Absent: not confined. */
  readonly confinement?: 'workspace' | 'workspace-no-network' | undefined;
}

export type Found =
  /** Without `stat` where even the name is protected. */
  | { readonly ok: true; readonly target: GuardedPath; readonly stat?: FileStat | undefined }
  | { readonly ok: false; readonly error: string };

/** The regular file that a model named, or an error that says what to do. */
export async function findFile(input: string, access: PathAccess): Promise<Found> {
  const found = await find(input, access);
  if (found.ok && found.stat?.kind === 'directory') {
    return { ok: false, error: `"${found.target.displayPath}" is a folder. Use list_directory to see what is in it.` };
  }
  return found;
}

/** The folder that a model named, or an error that says what to do. */
export async function findFolder(input: string, access: PathAccess): Promise<Found> {
  const found = await find(input, access);
  if (found.ok && found.stat && found.stat.kind !== 'directory') {
    return { ok: false, error: `"${found.target.displayPath}" is a file, not a folder. Use read_file to read it.` };
  }
  return found;
}

/**
 * A file or folder that exists. A target whose name is protected is not looked at: a person must be asked about the plan
 * first, and `run` finds out whether it exists. See `isNameProtected`.
 */
export async function find(input: string, access: PathAccess): Promise<Found> {
  const { fileSystem } = access.ports;
  const guarded = await guardPath(input, { roots: access.roots(), fileSystem, outside: 'mark' });
  if (!guarded.ok) return guarded;
  if (isNameProtected(guarded.path)) return { ok: true, target: guarded.path };
  const stat = await fileSystem.stat(guarded.path.realPath);
  if (guarded.path.exists && stat) return { ok: true, target: guarded.path, stat };
  return { ok: false, error: `"${guarded.path.displayPath}" does not exist. ${await suggest(guarded.path, access)}` };
}

/** The error if an approved path now leads to another place. To be called right before its use. */
export async function findMoveOf(target: GuardedPath, access: PathAccess): Promise<string | undefined> {
  const again = await lookAgain(target, access);
  return again.ok ? undefined : again.error;
}

/** An approved path as it is now, or the error if it leads to another place. */
export function lookAgain(target: GuardedPath, access: PathAccess): Promise<Guarded> {
  return guardAgain(target, { roots: access.roots(), fileSystem: access.ports.fileSystem });
}

async function suggest(target: GuardedPath, access: PathAccess): Promise<string> {
  const similar = await findPathsLike(target, { roots: access.roots(), fileSystem: access.ports.fileSystem });
  if (similar.length === 0) return 'Use list_directory or search_text to find the right path.';
  return `Did you mean ${similar.map((file) => `"${file}"`).join(' or ')}?`;
}
