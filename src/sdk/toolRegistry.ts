import { AgentError } from './errors';
import type { ToolDefinition } from './model/modelProvider';
import { toolNameResolver } from './model/toolNames';
import type { Tool } from './tool';

/** The tools of a client, in the one order every request names them in. */
export interface ToolRegistry {
  readonly definitions: readonly ToolDefinition[];
  /** By name, alias, or a spelling of either that models are known to use; `undefined` for a tool that is not there. */
  find(name: string): Tool | undefined;
  /** What the model is told when it calls a tool that is not there. */
  describeUnknown(name: string): string;
}

/** Throws `invalid_options` when two tools share a name. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) {
      throw new AgentError({ code: 'invalid_options', message: `tools: two tools are named "${tool.name}".` });
    }
    byName.set(tool.name, tool);
  }
  const byAlias = new Map(tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => [alias, tool] as const)));
  // Names come after aliases: a real name wins over another tool's alias.
  const resolve = toolNameResolver([...byAlias.keys(), ...byName.keys()].map((name) => ({ ...nameOnly, name })));

  return {
    definitions: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find(name) {
      const resolved = byName.has(name) ? name : (resolve(name) ?? name);
      return byName.get(resolved) ?? byAlias.get(resolved);
    },
    describeUnknown(name) {
      const offer = byName.size === 0 ? 'There are no tools' : `The tools are: ${[...byName.keys()].join(', ')}`;
      return `Unknown tool: ${name}. ${offer}.`;
    },
  };
}

const nameOnly: Omit<ToolDefinition, 'name'> = { description: '', inputSchema: {} };
