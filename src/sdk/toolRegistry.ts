import { AgentError } from './errors';
import type { ToolDefinition } from './model/modelProvider';
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
  const bySpelling = new Map<string, Tool>();
  for (const tool of tools) {
    for (const alias of tool.aliases ?? []) setOnce(bySpelling, spellingOf(alias), tool);
  }
  // A real name wins over another tool's alias.
  for (const tool of tools) bySpelling.set(spellingOf(tool.name), tool);

  return {
    definitions: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find: (name) => byName.get(name) ?? bySpelling.get(spellingOf(name)),
    describeUnknown(name) {
      const offer = byName.size === 0 ? 'There are no tools' : `The tools are: ${[...byName.keys()].join(', ')}`;
      return `Unknown tool: ${name}. ${offer}.`;
    },
  };
}

/** `functions.Read-File<|channel|>commentary` is `read_file`: a namespace, the case, dashes and a Harmony suffix do not matter. */
function spellingOf(name: string): string {
  return name
    .replace(/<\|.*$/s, '')
    .trim()
    .replace(/^.*\./s, '')
    .replaceAll('-', '_')
    .toLowerCase();
}

function setOnce<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}
