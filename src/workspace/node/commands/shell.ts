import { windowsProgram } from '../processes/systemProgram';

/** A shell that runs one command line. */
export interface Shell {
  readonly name: 'bash' | 'sh' | 'powershell';
  readonly file: string;
  /** The arguments that run `command` without the user's start-up files. */
  readonly args: (command: string) => readonly string[];
}

const BASH_PLACES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

export function findShell(platform: NodeJS.Platform = process.platform): Shell {
  if (platform === 'win32') {
    return {
      name: 'powershell',
      file: windowsProgram(String.raw`WindowsPowerShell\v1.0\powershell.exe`),
      args: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command],
    };
  }
  // An ES module that imports all of `fs` loads the streams as well, which takes Node 3 ms.
  const { existsSync } = process.getBuiltinModule('node:fs');
  const bash = BASH_PLACES.find((place) => existsSync(place));
  return bash ? posixShell('bash', bash, ['--noprofile', '--norc']) : posixShell('sh', '/bin/sh', []);
}

/** Starts a second shell with the unchanged command and both outputs on one pipe. Two pipes would lose the order. */
function posixShell(name: 'bash' | 'sh', file: string, quiet: readonly string[]): Shell {
  return { name, file, args: (command) => [...quiet, '-c', 'exec "$0" "$@" 2>&1', file, ...quiet, '-c', command] };
}
