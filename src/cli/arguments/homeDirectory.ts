import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/**
 * The person's home, absolute; empty when there is none. Ignores a `HOME` that is not absolute: sessions would land in
 * the current folder.
 */
export function findHomeDirectory(): string {
  const named = homedir();
  if (path.isAbsolute(named)) return named;
  try {
    const { homedir: known } = userInfo();
    return path.isAbsolute(known) ? known : '';
  } catch {
    // The user is missing in the system's user list, as in some containers.
    return '';
  }
}
