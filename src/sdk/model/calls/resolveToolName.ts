import type { ToolDefinition } from '../modelProvider';

/** Finds the offered tool for a written name: `functions.Read-File<|channel|>commentary` is `read_file`. */
export type ResolveToolName = (name: string) => string | undefined;

export function toolNameResolver(tools: readonly ToolDefinition[]): ResolveToolName {
  const exact = new Set(tools.map((tool) => tool.name));
  const bySpelling = new Map(tools.map((tool) => [spellingOf(tool.name), tool.name]));
  return (name) => (exact.has(name) ? name : bySpelling.get(spellingOf(name)));
}

/** The name without the Harmony tokens after it and the namespace before it. */
export function cleanToolName(name: string): string {
  return name
    .replace(/<\|.*$/s, '')
    .trim()
    .replace(/^functions?[.:/](?=.)/, '');
}

function spellingOf(name: string): string {
  return cleanToolName(name).replaceAll('-', '_').toLowerCase();
}
