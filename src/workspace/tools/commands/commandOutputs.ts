import type { GuardedPath } from '../../plans';
import type { Found, WorkspaceAccess } from '../workspaceAccess';

/** Whether a path names what a command printed. No file of a workspace can be called so by a model: it would be `./output:…`. */
export function isOutput(input: string): boolean {
  return /^output:[0-9a-f]{8}$/.test(input);
}

/** What stands in a plan for the output of a command, which is no file of the workspace. */
export function outputTarget(id: string): GuardedPath {
  return { path: id, realPath: id, displayPath: id, pathInRoot: id, exists: true };
}

export async function findOutput(id: string, { ports }: WorkspaceAccess): Promise<Found> {
  const stat = await ports.commandOutputs?.stat(id);
  if (stat) return { ok: true, target: outputTarget(id), stat };
  return { ok: false, error: `${id} is not kept any more. Run the command again if you need what it prints.` };
}
