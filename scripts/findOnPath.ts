import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** The full path of a program on PATH, or undefined. On Windows it tries the extensions of PATHEXT too. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : [''];
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => existsSync(file) && statSync(file).isFile());
}
