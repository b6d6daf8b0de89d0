import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed extension: its id and its folder. */
export interface InstalledExtension {
  readonly id: string;
  readonly extensionPath: string;
}

/**
 * The id of the extension that made a call, found in the call's stack; `undefined` when it is none. The innermost
 * extension counts, except ours: none can pass as another by calling through it.
 */
export function callingExtension(
  stack: string,
  extensions: readonly InstalledExtension[],
  ownId: string,
): string | undefined {
  const folders = extensions
    .map(({ id, extensionPath }) => ({ id, folder: withSeparator(resolveLinks(extensionPath)) }))
    // Longest first, because an extension may lie inside another one's folder.
    .sort((a, b) => b.folder.length - a.folder.length);
  for (const file of stack.split('\n').map(fileOf)) {
    if (file === undefined) continue;
    const real = resolveLinks(file);
    const owner = folders.find(({ folder }) => real.startsWith(folder));
    if (owner && owner.id !== ownId) return owner.id;
  }
  return undefined;
}

/** `at name (/path/file.js:1:2)` or `at file:///path/file.js:1:2`. */
function fileOf(line: string): string | undefined {
  const place = /(?:\(|at (?:async )?)((?:file:|\/|[A-Za-z]:[\\/]).*?):\d+:\d+\)?$/.exec(line.trim())?.[1];
  if (place === undefined) return undefined;
  try {
    return place.startsWith('file:') ? fileURLToPath(place) : path.normalize(place);
  } catch (error) {
    // The address names no file on this machine.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(path.sep) ? folder : folder + path.sep;
}

function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file may be gone, or known only from a source map.
    return path.normalize(file);
  }
}
