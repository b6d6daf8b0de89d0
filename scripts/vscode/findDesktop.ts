import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findOnPath } from '../findOnPath';

/** A desktop editor that can load an extension from its development folder. */
export interface DesktopEditor {
  /** Its usual name, such as `VS Code`. */
  readonly name: string;
  /** Its command-line launcher. */
  readonly command: string;
}

interface Product {
  readonly name: string;
  readonly pathName: string;
  readonly linux: readonly string[];
  readonly mac: string;
  readonly windows: readonly string[];
}

const products: readonly Product[] = [
  {
    name: 'VS Code',
    pathName: 'code',
    linux: ['/usr/share/code/bin/code', '/snap/bin/code', '/var/lib/flatpak/exports/bin/com.visualstudio.code'],
    mac: 'Visual Studio Code.app/Contents/Resources/app/bin/code',
    windows: ['Programs\\Microsoft VS Code\\bin\\code.cmd', 'Microsoft VS Code\\bin\\code.cmd'],
  },
  {
    name: 'VS Code Insiders',
    pathName: 'code-insiders',
    linux: ['/usr/share/code-insiders/bin/code-insiders', '/snap/bin/code-insiders'],
    mac: 'Visual Studio Code - Insiders.app/Contents/Resources/app/bin/code',
    windows: ['Programs\\Microsoft VS Code Insiders\\bin\\code-insiders.cmd'],
  },
  {
    name: 'VSCodium',
    pathName: 'codium',
    linux: ['/usr/share/codium/bin/codium', '/snap/bin/codium', '/var/lib/flatpak/exports/bin/com.vscodium.codium'],
    mac: 'VSCodium.app/Contents/Resources/app/bin/codium',
    windows: ['Programs\\VSCodium\\bin\\codium.cmd', 'VSCodium\\bin\\codium.cmd'],
  },
  {
    name: 'Cursor',
    pathName: 'cursor',
    linux: ['/usr/share/cursor/bin/cursor', '/opt/Cursor/cursor'],
    mac: 'Cursor.app/Contents/Resources/app/bin/cursor',
    windows: ['Programs\\cursor\\resources\\app\\bin\\cursor.cmd'],
  },
];

/**
 * The first desktop editor of this machine, from PATH and then from the usual places. Undefined if there is none, or no
 * display to show it on.
 */
export function findDesktop(env: NodeJS.ProcessEnv = process.env): DesktopEditor | undefined {
  if (process.platform === 'linux' && !hasDisplay(env)) return undefined;
  for (const product of products) {
    const command = findOnPath(product.pathName, env) ?? placesOf(product, env).find((place) => existsSync(place));
    if (command !== undefined && !isRemoteLauncher(command)) return { name: product.name, command };
  }
  return undefined;
}

function hasDisplay(env: NodeJS.ProcessEnv): boolean {
  return [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((value) => value !== undefined && value !== '');
}

function placesOf(product: Product, env: NodeJS.ProcessEnv): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', path.join(os.homedir(), 'Applications')].map((folder) => path.join(folder, product.mac));
    case 'win32':
      return [env['LOCALAPPDATA'], env['ProgramFiles'], env['ProgramFiles(x86)']].flatMap((folder) =>
        folder === undefined ? [] : product.windows.map((place) => path.join(folder, place)),
      );
    default:
      return product.linux;
  }
}

/** In the terminal of a remote window, `code` only talks to that window and cannot start an editor. */
function isRemoteLauncher(command: string): boolean {
  return /[\\/]remote-cli[\\/]/.test(realpathSync(command));
}
