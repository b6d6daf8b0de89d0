import { createHash } from 'node:crypto';

/** What model servers take. */
const MAX_LENGTH = 64;

/** What the names of a server's tools start with. No tool of the agent's own starts like it. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`;
}

/**
 * A name for each tool of a server, in their order: legal, unique, the same for the same list, and the tool's own where
 * that is possible. `taken` are the names that other tools have.
 */
export function nameTools(
  server: string,
  toolNames: readonly string[],
  taken: Iterable<string> = [],
): readonly string[] {
  return namesWithPrefix(toolPrefix(server), toolNames, taken);
}

/** The same for any prefix, which must be legal itself. */
export function namesWithPrefix(
  prefix: string,
  toolNames: readonly string[],
  taken: Iterable<string> = [],
): readonly string[] {
  const used = new Set(taken);
  return toolNames.map((toolName) => {
    const legal = prefix + toolName.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    const isAsItWas = legal === prefix + toolName && legal.length <= MAX_LENGTH;
    for (let attempt = 0; ; attempt++) {
      const name = isAsItWas && attempt === 0 ? legal : withSuffix(legal, `${toolName}\n${attempt}`);
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  });
}

/** A suffix made from the whole name, so that the order of the list does not matter. */
function withSuffix(legal: string, origin: string): string {
  const suffix = `_${createHash('sha256').update(origin).digest('hex').slice(0, 8)}`;
  return legal.slice(0, MAX_LENGTH - suffix.length) + suffix;
}
