import { createHash, randomBytes } from 'node:crypto';
import { nodeProcesses, type Processes } from '../processes/processIdentity';

/**
 * Nothing is written for so long. Counts where a process cannot be asked whether it lives, or could not remove its
 * draft.
 */
const ABANDONED_MS = 60 * 60_000;
/** `.<pid>-<start time>-<realm>.<token>.tmp` at the end of a name. */
const DRAFT = /\.(\d+)-(\w*)-([0-9a-f]{8})\.[\w-]+\.tmp$/;

/**
 * The name of a temporary file for the new content of `file`. It names this process, so that the file can be removed when
 * the process has died.
 */
export async function draftName(file: string, token: string = randomBytes(4).toString('hex')): Promise<string> {
  const { pid, startTime, realm } = await nodeProcesses.self();
  return `${file}.${pid}-${startTime}-${shortRealm(realm)}.${token}.tmp`;
}

export function isDraftName(name: string): boolean {
  return DRAFT.test(name);
}

/** Whether the process that made this draft is dead, or the draft older than an hour. A clock set back makes it younger. */
export async function isAbandoned(name: string, ageMs: number, processes: Processes = nodeProcesses): Promise<boolean> {
  if (ageMs > ABANDONED_MS) return true;
  const [, pid, startTime, realm] = DRAFT.exec(name) ?? [];
  const self = await processes.self();
  // Another machine or container has other processes.
  if (pid === undefined || startTime === undefined || realm !== shortRealm(self.realm)) return false;
  return (await processes.livenessOf({ pid: Number(pid), startTime, realm: self.realm })) === 'dead';
}

function shortRealm(realm: string): string {
  return createHash('sha256').update(realm).digest('hex').slice(0, 8);
}
