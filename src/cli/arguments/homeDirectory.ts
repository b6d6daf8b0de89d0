import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/**
 * The person's home, absolute; empty when the system knows none. `HOME` counts only where it is an absolute path: with an
 * empty one, what is kept at home would go into the folder the command was started in.
 */
export function findHomeDirectory(): string {
  const named = homedir();
  if (path.isAbsolute(named)) return named;
  try {
    const { homedir: known } = userInfo();
    return path.isAbsolute(known) ? known : '';
  } catch {
    // The user has no entry in the system's list, as in some containers.
    return '';
  }
}
