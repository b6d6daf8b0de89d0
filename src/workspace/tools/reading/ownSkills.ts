import type { Found, PathAccess } from '../workspaceAccess';

const SCHEME = 'skill:';

/** Whether the user's own skills can have this name. It is the name of a folder. */
export function isSkillName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);
}

/** The name in a path that stands for one of the user's own skills. A file with such a name can be reached as `./skill:…`. */
export function skillNamed(input: string): string | undefined {
  const name = input.startsWith(SCHEME) ? input.slice(SCHEME.length) : '';
  return isSkillName(name) ? name : undefined;
}

/** The target of a plan that reads one of the user's own skills. */
export async function findSkill(name: string, { ports }: PathAccess): Promise<Found> {
  const id = `${SCHEME}${name}`;
  if (!(await ports.ownSkills?.has(name))) return { ok: false, error: `There is no skill "${name}".` };
  return { ok: true, target: { path: id, realPath: id, displayPath: id, pathInRoot: id, exists: true } };
}
