import path from 'node:path';
import { guardPath } from '../../workspace/paths/guardPath';
import { holdsSecrets, isReadingProtected } from '../../workspace/paths/protectedPaths';
import type { FileSystem, Root } from '../../workspace/ports';

export interface CustomFileParts {
  readonly fileSystem: FileSystem;
  /** With distinct names. */
  readonly roots: () => readonly Root[];
  readonly isTrusted: () => boolean;
  /** The user's own folder, as an absolute path: `~/.open-agent`. Absent: it is not looked at. */
  readonly ownFolder?: string | undefined;
}

/** A file that a person wrote for agents: in the repository, or in the user's own folder. */
export interface CustomFile {
  /** The path as people and models know it. */
  readonly displayPath: string;
  readonly isOwn: boolean;
  readonly text: string;
}

/** The name of the user's own folder for people. */
const OWN = '~/.open-agent';
/** The files of one folder that are looked at. */
const MAX_FILES = 100;
/** A larger file is ignored. */
const MAX_BYTES = 64_000;

/**
 * The names in a folder of each workspace folder, and in the user's own: `.github/prompts`, then `prompts`. None in an
 * untrusted workspace. Never rejects: a folder that cannot be read has none.
 */
export async function listCustomFolder(
  { inWorkspace, own }: { readonly inWorkspace: readonly string[]; readonly own?: string | undefined },
  parts: CustomFileParts,
): Promise<readonly { readonly displayPath: string; readonly isOwn: boolean }[]> {
  if (!parts.isTrusted()) return [];
  const roots = parts.roots();
  const folders = roots.flatMap(({ name }) =>
    inWorkspace.map((folder) => (roots.length === 1 ? folder : `${name}/${folder}`)),
  );
  // Where there is no home, the folder would lie in the current one.
  const { ownFolder = '' } = parts;
  const ownPlace = own !== undefined && path.isAbsolute(ownFolder) ? path.join(ownFolder, own) : undefined;
  const found = await Promise.all([
    ...folders.map(async (folder) => ({
      folder,
      isOwn: false,
      names: await namesIn(await guardedPath(folder, parts), parts),
    })),
    (async () => ({
      folder: `${OWN}/${own}`,
      isOwn: true,
      names: await namesIn(ownPlace, parts),
    }))(),
  ]);
  return found.flatMap(({ folder, isOwn, names }) =>
    names.map((name) => ({ displayPath: `${folder}/${name}`, isOwn })),
  );
}

/** The text of a listed file; `undefined`: it is none, holds secrets or leads out of the workspace. Never rejects. */
export async function readCustomFile(
  { displayPath, isOwn }: { readonly displayPath: string; readonly isOwn: boolean },
  parts: CustomFileParts,
): Promise<CustomFile | undefined> {
  const { fileSystem } = parts;
  const asked = isOwn ? path.join(parts.ownFolder ?? '', displayPath.slice(OWN.length + 1)) : displayPath;
  try {
    const real = isOwn ? await ownPath(asked, parts) : await guardedPath(asked, parts);
    if (real === undefined) return undefined;
    const stat = await fileSystem.stat(real);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    const { text } = await fileSystem.openText(real);
    return text.trim() === '' ? undefined : { displayPath, isOwn, text };
  } catch {
    // It is not text, or cannot be read.
    return undefined;
  }
}

async function namesIn(folder: string | undefined, { fileSystem }: CustomFileParts): Promise<readonly string[]> {
  try {
    const entries = folder === undefined ? [] : await fileSystem.listDirectory(folder);
    const names = entries.map(({ name }) => name).filter((name) => !name.startsWith('.'));
    return names.toSorted().slice(0, MAX_FILES);
  } catch {
    // The usual case: there is no such folder.
    return [];
  }
}

/** The real path of a file or folder of the workspace that may be read without a question. */
async function guardedPath(file: string, parts: CustomFileParts): Promise<string | undefined> {
  const guarded = await guardPath(file, { roots: parts.roots(), fileSystem: parts.fileSystem });
  return guarded.ok && guarded.path.exists && !isReadingProtected(guarded.path) ? guarded.path.realPath : undefined;
}

/** The user may keep these files elsewhere and link to them, but not to secrets. */
async function ownPath(file: string, { fileSystem }: CustomFileParts): Promise<string | undefined> {
  const real = await fileSystem.realPath(file);
  return real === undefined || holdsSecrets(real) ? undefined : real;
}
