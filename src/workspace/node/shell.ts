import { existsSync } from 'node:fs';

/** A program that runs one command line. */
export interface Shell {
  readonly name: 'bash' | 'sh' | 'powershell';
  readonly file: string;
  /** The arguments that make it run `command` and nothing of the user's start-up files. */
  readonly args: (command: string) => readonly string[];
}

const BASH_PLACES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];

export function findShell(platform: NodeJS.Platform = process.platform): Shell {
  if (platform === 'win32') {
    return {
      name: 'powershell',
      file: 'powershell.exe',
      args: (command) => ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command],
    };
  }
  const bash = BASH_PLACES.find((place) => existsSync(place));
  return bash ? posixShell('bash', bash, ['--noprofile', '--norc']) : posixShell('sh', '/bin/sh', []);
}

/**
 * The shell replaces itself by one that gets the command untouched and has both outputs on one pipe: with a pipe for
 * each, what was printed first could not be told.
 */
function posixShell(name: 'bash' | 'sh', file: string, quiet: readonly string[]): Shell {
  return { name, file, args: (command) => [...quiet, '-c', 'exec "$0" "$@" 2>&1', file, ...quiet, '-c', command] };
}

/**
 * The environment for commands: this process's own, without what would make them behave differently from a terminal
 * (variables of the editor and of Electron), run code before the command (`BASH_ENV`) or point git at another
 * repository, without our own key, which is for the model server alone, and with pagers, colours and questions turned off.
 */
export function commandEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(base).filter(([name]) => !DROPPED.test(name));
  return { ...Object.fromEntries(kept), ...QUIET };
}

const DROPPED = /^(BASH_ENV|ENV|BASH_FUNC_.*|GIT_.*|ELECTRON_.*|VSCODE_.*|NODE_OPTIONS|OPEN_AGENT_API_KEY)$/i;

const QUIET = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};
