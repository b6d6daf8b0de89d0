import path from 'node:path';
import type { Root } from './ports';

/** The path functions of one platform; tests pass `path.win32`. */
export type PathFlavour = path.PlatformPath;

export type ResolvedPath =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly error: string };

/**
 * The absolute path a model meant. With one folder, relative paths start in it; with several, they start with a
 * folder's name. Absolute paths are taken as they are. Purely lexical: says nothing about being inside.
 */
export function resolveInRoots(input: string, roots: readonly Root[], flavour: PathFlavour = path): ResolvedPath {
  if (flavour.isAbsolute(input)) return { ok: true, path: flavour.resolve(input) };
  const [only, ...others] = roots;
  if (!only)
    return { ok: false, error: 'No folder is open, so there are no files to work on. Tell the user to open a folder.' };
  if (others.length === 0) return { ok: true, path: flavour.resolve(only.path, input) };

  const normalized = flavour.normalize(input);
  if (normalized === '.') return { ok: true, path: flavour.resolve(only.path) };
  const segments = normalized.split(flavour.sep);
  const root = roots.find(({ name }) => name === segments[0]);
  if (!root) return { ok: false, error: `"${input}" must start with a workspace folder's name: ${nameList(roots)}.` };
  return { ok: true, path: flavour.resolve(root.path, ...segments.slice(1)) };
}

/**
 * How people and models see a path: relative to its folder, with `/`, and with the folder's name first when there are
 * several. A folder itself is `.` or its name. A path outside every folder stays as it is.
 */
export function displayPath(absolute: string, roots: readonly Root[], flavour: PathFlavour = path): string {
  const root = roots
    .filter((candidate) => isInside(absolute, candidate.path, flavour))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (!root) return absolute;
  const relative = flavour.relative(root.path, absolute).split(flavour.sep).join('/');
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

/** The folders with distinct names: a second `app` is called `app-2`, so that every display path means one file. */
export function withDistinctNames(roots: readonly Root[]): readonly Root[] {
  const taken = new Set<string>();
  return roots.map((root) => {
    let name = root.name;
    for (let count = 2; taken.has(name); count++) name = `${root.name}-${count}`;
    taken.add(name);
    return name === root.name ? root : { name, path: root.path };
  });
}

/** Names and paths of the folders, for messages: `app (/home/ada/app)`. */
export function describeRoots(roots: readonly Root[]): string {
  return roots.map((root) => `${root.name} (${root.path})`).join(', ');
}

function nameList(roots: readonly Root[]): string {
  return roots.map(({ name }) => name).join(', ');
}
