import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The path of VS Code's own ripgrep, below its `appRoot`; `undefined`: not found. The place is no API and has changed
 * between versions.
 */
export function findRipgrep(
  appRoot: string,
  { platform, arch }: { readonly platform: string; readonly arch: string },
): string | undefined {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const places = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    path.join(appRoot, modules, '@vscode', 'ripgrep', 'bin', name),
    path.join(appRoot, modules, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
  ]);
  return places.find((place) => existsSync(place));
}
