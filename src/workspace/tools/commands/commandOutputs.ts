import type { GuardedPath } from '../../plans';
import type { Found, PathAccess } from '../workspaceAccess';

/** Whether a path names the output of a command. A file with such a name can be reached as `./output:…`. */
export function isOutput(input: string): boolean {
  return /^output:[0-9a-f]{8}$/.test(input);
}

/** The target of a plan that reads the output of a command. */
export function outputTarget(id: string): GuardedPath {
  return { path: id, realPath: id, displayPath: id, pathInRoot: id, exists: true };
}

export async function findOutput(id: string, { ports }: PathAccess): Promise<Found> {
  const stat = await ports.commandOutputs?.stat(id);
  if (stat) return { ok: true, target: outputTarget(id), stat };
  return { ok: false, error: `${id} is no longer kept. Run the command again if you need its output.` };
}
