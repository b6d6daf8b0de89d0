import { createHash } from 'node:crypto';

/** The longest tool name that model servers accept. */
const MAX_LENGTH = 64;

/** The prefix of a server's tool names. No tool of the agent itself has such a prefix. */
export function toolPrefix(server: string): string {
  return `mcp__${server}__`;
}

/**
 * Names each tool of a server, in order. The names are legal, unique and stable; they keep the tool's own name where
 * possible. `taken`: names of other tools.
 */
export function nameTools(
  server: string,
  toolNames: readonly string[],
  taken: Iterable<string> = [],
): readonly string[] {
  return namesWithPrefix(toolPrefix(server), toolNames, taken);
}

/** The same with any prefix, which must be legal itself. */
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

/** Derives a suffix from the whole name, so that the order of the list does not matter. */
function withSuffix(legal: string, origin: string): string {
  const suffix = `_${createHash('sha256').update(origin).digest('hex').slice(0, 8)}`;
  return legal.slice(0, MAX_LENGTH - suffix.length) + suffix;
}
