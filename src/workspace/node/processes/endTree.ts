import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { endWindowsTree, ProcessTree } from './processTree';

/** Ends a process that was started at the head of a group of its own (`detached`), and what it has started. */
export async function endTree(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') await endWindowsTree(child);
  // Nothing carries the id: its group and its descendants are what counts.
  else await new ProcessTree({ leader: child.pid, runId: randomUUID() }).end();
}
