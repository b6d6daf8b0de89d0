import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { endWindowsTree, ProcessTree } from './processTree';

/** Ends a process that leads its own group (`detached`), and everything it started. */
export async function endTree(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') await endWindowsTree(child);
  // No process has this id, so the tree is the group and its descendants.
  else await new ProcessTree({ leader: child.pid, runId: randomUUID() }).end();
}
