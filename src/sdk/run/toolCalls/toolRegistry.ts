import { AgentError } from '../../errors';
import type { ToolDefinition } from '../../model/modelProvider';
import { toolNameResolver } from '../../model/calls/resolveToolName';
import type { Tool } from '../../tool';

/** The tools of a client, in the order of every request. */
export interface ToolRegistry {
  readonly definitions: readonly ToolDefinition[];
  /** Finds a tool by its name, an alias, or a spelling of either that models use. */
  find(name: string): Tool | undefined;
  /** The message to the model when it calls a tool that does not exist or is excluded. */
  describeUnknown(name: string): string;
}

/** Which tools the model may use. An excluded tool is not offered and its calls are refused. */
export interface ToolFilter {
  /** Only these. Absent: all. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Not these, even when allowed. */
  readonly disallowedTools?: readonly string[] | undefined;
}

/**
 * Throws `invalid_options` when two tools share a name, or a filter names an unknown tool. A misspelt exclusion would
 * otherwise leave the tool in use.
 */
export function createToolRegistry(all: readonly Tool[], filter: ToolFilter = {}): ToolRegistry {
  assertDistinct(all);
  assertKnown(all, 'allowedTools', filter.allowedTools);
  assertKnown(all, 'disallowedTools', filter.disallowedTools);
  const allowed = filter.allowedTools && new Set(filter.allowedTools);
  const disallowed = new Set(filter.disallowedTools);
  const isUsable = ({ name }: Tool): boolean => !disallowed.has(name) && (allowed?.has(name) ?? true);
  const tools = all.filter(isUsable);
  const find = finderOf(tools);
  const findExcluded = finderOf(all.filter((tool) => !isUsable(tool)));

  return {
    definitions: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find,
    describeUnknown(name) {
      const offer = offerOf(tools);
      const excluded = findExcluded(name);
      if (excluded) return `The tool ${excluded.name} may not be used here. Nothing was executed. ${offer}.`;
      return `Unknown tool: ${name}. ${offer}.`;
    },
  };
}

function finderOf(tools: readonly Tool[]): (name: string) => Tool | undefined {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const byAlias = new Map(tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => [alias, tool] as const)));
  // Names come after aliases, so a real name replaces another tool's alias.
  const resolve = toolNameResolver([...byAlias.keys(), ...byName.keys()].map((name) => ({ ...nameOnly, name })));
  return (name) => {
    const resolved = byName.has(name) ? name : (resolve(name) ?? name);
    return byName.get(resolved) ?? byAlias.get(resolved);
  };
}

function assertDistinct(tools: readonly Tool[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw invalidOptions(`tools: two tools are named "${name}".`);
    names.add(name);
  }
}

function assertKnown(tools: readonly Tool[], field: keyof ToolFilter, names: readonly string[] = []): void {
  const unknown = names.find((name) => tools.every((tool) => tool.name !== name));
  if (unknown === undefined) return;
  throw invalidOptions(`${field}: there is no tool named "${unknown}". ${offerOf(tools)}.`);
}

function offerOf(tools: readonly Tool[]): string {
  return tools.length === 0 ? 'There are no tools' : `The tools are: ${tools.map(nameOf).join(', ')}`;
}

function invalidOptions(message: string): AgentError {
  return new AgentError({ code: 'invalid_options', message });
}

function nameOf({ name }: Tool): string {
  return name;
}

const nameOnly: Omit<ToolDefinition, 'name'> = { description: '', inputSchema: {} };
