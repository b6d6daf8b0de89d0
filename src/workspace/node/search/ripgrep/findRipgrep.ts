import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolveProgram } from '../../../shell/resolveProgram';
import type { CommandWorld } from '../../../shell/commandAssessment';

/**
 * The path of VS Code's own ripgrep, below its `appRoot`; `undefined`: not found. The place is no API and has changed
 * between versions.
 */
export function findRipgrepOfVscode(
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

/** The first `rg` on PATH; `undefined`: there is none, or the workspace could supply it or decide which it is. */
export async function findRipgrepOnPath(
  { searchPath, extensions, findExecutable }: Pick<CommandWorld, 'searchPath' | 'extensions' | 'findExecutable'>,
  rootPaths: readonly string[],
): Promise<string | undefined> {
  const found = await resolveProgram('rg', {
    // Not cmd, which looks in the current folder first.
    shell: 'sh',
    cwd: path.parse(process.execPath).root,
    searchPath,
    extensions,
    rootPaths,
    findExecutable,
  });
  return found.kind === 'program' && found.folderDecides === undefined ? found.path : undefined;
}
