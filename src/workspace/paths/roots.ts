import path from 'node:path';
import type { Root } from '../ports';
import { canonical, describePlace, isVirtualPath } from './virtualPaths';

/** The path functions of one platform. */
export type PathFlavour = path.PlatformPath;

export type ResolvedPath =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: string };

/**
 * The absolute path that a model means. With one folder, relative paths start in it. With several folders, they start with
 * a folder's name. Works on names only and does not check that the path is in the workspace.
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
  const below = path.posix.normalize(relative.replaceAll('\\', '/'));
  if (/^\.\.(?:\/|$)/.test(below)) {
    return {
      ok: false,
      error: `"${relative}" leads out of ${describePlace(root.path)}. Only paths in it can be used.`,
    };
  }
  return resolveVirtual(`${root.path}/${below}`);
}

function resolveVirtual(absolute: string): ResolvedPath {
  const resolved = canonical(absolute);
  if (isVirtualPath(resolved)) return { ok: true, path: resolved };
  return { ok: false, error: `"${absolute}" is not a valid path. Give a path relative to the workspace folder.` };
}

/**
 * A path for people and models: relative to its folder, with `/`, after the folder's name if there are several folders. The
 * folder itself is `.` or its name. Outside the workspace: the absolute path, or the URI of a virtual path.
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

/** Whether `child` is `parent` or below it. Both are absolute. Ignores case on Windows. */
export function isInside(child: string, parent: string, flavour: PathFlavour = path): boolean {
  const fold = (value: string): string => (flavour.sep === '\\' ? value.toLowerCase() : value);
  const relative = flavour.relative(fold(parent), fold(child));
  return (
    relative === '' || (relative !== '..' && !relative.startsWith(`..${flavour.sep}`) && !flavour.isAbsolute(relative))
  );
}

/**
 * The folders with distinct names, each of them one valid segment of a path: a second `app` becomes `app-2`. So each display
 * path means one file. A workspace file can give its folders any name.
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

/** The folders on disk. Only there commands can run. */
export function foldersOnDisk(roots: readonly Root[]): readonly Root[] {
  return roots.filter(({ path: folder }) => !isVirtualPath(folder));
}

/** Names and paths of the folders, for messages: `app (/home/ada/app)`. */
function describeRoots(roots: readonly Root[]): string {
  return roots.map((root) => `${root.name} (${describePlace(root.path)})`).join(', ');
}

/** The error for a path outside the workspace. */
export function describeOutside(input: string, roots: readonly Root[]): string {
  return `"${input}" is outside the workspace. Only files in the workspace can be used: ${describeRoots(roots)}.`;
}

function nameList(roots: readonly Root[]): string {
  return roots.map(({ name }) => name).join(', ');
}
