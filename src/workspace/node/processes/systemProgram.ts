import path from 'node:path';

/**
 * The file of a program of Windows itself, by its path in `System32`. Never looked up by name: Windows looks in the folder of the new
 * process first, which is a workspace. Source: libuv's `search_path` in `src/win/process.c`.
 */
export function windowsProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const given = env['SystemRoot'] ?? env['SYSTEMROOT'] ?? '';
  const root = /^[A-Za-z]:\\[^*?"<>|]*$/.test(given) ? given : String.raw`C:\Windows`;
  return path.win32.join(root, 'System32', name);
}

/** `ps` where there is no `/proc`. A folder of `PATH` may be relative. */
export const PS = '/bin/ps';
