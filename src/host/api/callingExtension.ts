import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** An extension that is installed: its id, and the folder of its code. */
export interface InstalledExtension {
  readonly id: string;
  readonly extensionPath: string;
}

/**
 * The id of the extension whose code made a call, by the stack of the call; `undefined` when there is none in it. The
 * innermost counts, our own code aside: nobody can pass as another by calling through it.
 */
export function callingExtension(
  stack: string,
  extensions: readonly InstalledExtension[],
  ownId: string,
): string | undefined {
  const folders = extensions
    .map(({ id, extensionPath }) => ({ id, folder: withSeparator(resolveLinks(extensionPath)) }))
    // The longest first, for an extension inside another one's folder.
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
    // No address of a file on this machine.
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
    // The stack may name a file that is there no more, or one that a source map tells of.
    return path.normalize(file);
  }
}
