import path from 'node:path';
import type { Root } from '../ports';
import { canonical, describePlace, isVirtualPath } from './virtualPaths';

/** The path functions of one platform; tests pass `path.win32`. */
export type PathFlavour = path.PlatformPath;

export type ResolvedPath =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: string };

/**
 * The absolute path a model meant. With one folder, relative paths start in it; with several, they start with a
 * folder's name. Absolute paths are taken as they are. Purely lexical: says nothing about being inside.
 */
export function resolveInRoots(input: string, roots: readonly Root[], flavour: PathFlavour = path): ResolvedPath {
  if (isVirtualPath(input)) return resolveVirtual(input);
  if (flavour.isAbsolute(input)) return { ok: true, path: flavour.resolve(input) };
  const [only, ...others] = roots;
  if (!only)
    return { ok: false, error: 'No folder is open, so there are no files to work on. Tell the user to open a folder.' };
  if (others.length === 0) return resolveBelow(only, input, flavour);

  const normalized = flavour.normalize(input);
  if (normalized === '.') return resolveBelow(only, '.', flavour);
  const segments = normalized.split(flavour.sep);
  const root = roots.find(({ name }) => name === segments[0]);
  if (!root) return { ok: false, error: `"${input}" must start with a workspace folder's name: ${nameList(roots)}.` };
  return resolveBelow(root, segments.slice(1).join(flavour.sep) || '.', flavour);
}

function resolveBelow(root: Root, relative: string, flavour: PathFlavour): ResolvedPath {
  if (!isVirtualPath(root.path)) return { ok: true, path: flavour.resolve(root.path, relative) };
  // Above such a folder is nothing that a path could lead to.
  const below = path.posix.normalize(relative.replaceAll('\\', '/'));
  if (/^\.\.(?:\/|$)/.test(below)) {
    return {
      ok: false,
      error: `"${relative}" leads out of ${describePlace(root.path)}, which is all there is to use.`,
    };
  }
  return resolveVirtual(`${root.path}/${below}`);
}

function resolveVirtual(absolute: string): ResolvedPath {
  const resolved = canonical(absolute);
  if (isVirtualPath(resolved)) return { ok: true, path: resolved };
  return { ok: false, error: `"${absolute}" leads nowhere. Give a path relative to the workspace folder.` };
}

/**
 * How people and models see a path: relative to its folder, with `/`, and with the folder's name first when there are
 * several. A folder itself is `.` or its name. A path outside every folder stays as it is; a virtual one is its URI.
 */
export function displayPath(absolute: string, roots: readonly Root[], flavour: PathFlavour = path): string {
  const isVirtual = isVirtualPath(absolute);
  const rules = isVirtual ? path.posix : flavour;
  const target = isVirtual ? canonical(absolute) : absolute;
  const root = roots
    .filter((candidate) => isVirtualPath(candidate.path) === isVirtual && isInside(target, candidate.path, rules))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!root) return describePlace(target);
  const relative = rules.relative(root.path, target).split(rules.sep).join('/');
  if (roots.length === 1) return relative || '.';
  return relative ? `${root.name}/${relative}` : root.name;
}

/** Whether `child` is `parent` or below it, both absolute. On Windows without regard to case, as the file system has it. */
export function isInside(child: string, parent: string, flavour: PathFlavour = path): boolean {
  const fold = (value: string): string => (flavour.sep === '\\' ? value.toLowerCase() : value);
  const relative = flavour.relative(fold(parent), fold(child));
  return (
    relative === '' || (relative !== '..' && !relative.startsWith(`..${flavour.sep}`) && !flavour.isAbsolute(relative))
  );
}

/**
 * The folders with distinct names that are one segment of a path: a second `app` is called `app-2`, so that every display
 * path means one file, and none looks like a path that leads elsewhere. A workspace's own file can name its folders
 * however it likes.
 */
export function withDistinctNames(roots: readonly Root[]): readonly Root[] {
  const taken = new Set<string>();
  return roots.map((root) => {
    const plain = asSegment(root.name);
    let name = plain;
    for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`;
    taken.add(name);
    return name === root.name ? root : { name, path: root.path };
  });
}

function asSegment(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|~\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, '-').trim();
  return /^[.-]*$/.test(plain) ? 'folder' : plain;
}

/** The folders that are on disk: where commands can run. */
export function foldersOnDisk(roots: readonly Root[]): readonly Root[] {
  return roots.filter(({ path: folder }) => !isVirtualPath(folder));
}

/** Names and places of the folders, for messages: `app (/home/ada/app)`. */
function describeRoots(roots: readonly Root[]): string {
  return roots.map((root) => `${root.name} (${describePlace(root.path)})`).join(', ');
}

/** Why a path that lies in none of the folders is not used. */
export function describeOutside(input: string, roots: readonly Root[]): string {
  return `"${input}" is outside the workspace. Only files in the workspace can be used: ${describeRoots(roots)}.`;
}

function nameList(roots: readonly Root[]): string {
  return roots.map(({ name }) => name).join(', ');
}
