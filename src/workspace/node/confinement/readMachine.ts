import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FoundFile } from './bubblewrap';
import { socketPaths, type ShownEntry } from './hiddenSockets';

/** What exists at a path. `undefined`: nothing, or this process cannot see it, and then the command cannot see it either. */
export function find(file: string): FoundFile | undefined {
  try {
    const realPath = realpathSync(file);
    const stat = statSync(realPath);
    return { kind: stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other', realPath };
  } catch {
    return undefined;
  }
}

/** The files, folders and links of a folder. */
export function list(folder: string): readonly ShownEntry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (entry.isSymbolicLink()) return [{ name: entry.name, target: readlinkSync(path.join(folder, entry.name)) }];
      return entry.isFile() || entry.isDirectory() ? [{ name: entry.name }] : [];
    });
  } catch {
    return [];
  }
}

/** The real paths of the sockets on which a program of this machine listens or listened. */
export function findSockets(): readonly string[] {
  return socketPaths(readText('/proc/net/unix')).flatMap((file) => {
    try {
      if (!lstatSync(file).isSocket()) return [];
      return [path.join(realpathSync(path.dirname(file)), path.basename(file))];
    } catch {
      return [];
    }
  });
}

/** Other places than `/proc` where a list of all processes is mounted, with their variables. */
export function findProcessLists(): readonly string[] {
  return readText('/proc/self/mountinfo')
    .split('\n')
    .flatMap((line) => (/ - proc /.test(line) ? [unescapeMountPath(line.split(' ')[4] ?? '')] : []))
    .filter((place) => place !== '/proc' && !place.startsWith('/proc/'));
}

/** The kernel writes spaces and some other characters as `\040`. */
export function unescapeMountPath(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
