import { AgentError } from '../../sdk/errors';
import type { AgentDefinition } from './agentDefinition';

/** A tool, and the server or extension that provides it; absent for the agent's own. */
export interface ProvidedTool {
  readonly name: string;
  readonly server?: string | undefined;
}

export type AgentToolFilter = Pick<AgentDefinition, 'includeTools' | 'excludeTools' | 'allowedServers'>;

/** Tools that are there only with an editor, so that an agent written for it can be used without. */
const EDITOR_TOOLS: readonly string[] = ['get_diagnostics'];

/** The tools that an agent is to have and that are not there without an editor; for a warning. */
export function missingTools(
  tools: readonly ProvidedTool[],
  { includeTools = [] }: AgentToolFilter,
): readonly string[] {
  return includeTools.filter((name) => EDITOR_TOOLS.includes(name) && tools.every((tool) => tool.name !== name));
}

/**
 * The names of the tools that an agent may use, in the order they were given. Throws `invalid_options` for a name that
 * can be no tool's: with a slip in its name a tool would stay in use that somebody meant to take away.
 */
export function usableTools(tools: readonly ProvidedTool[], filter: AgentToolFilter, agentId = ''): readonly string[] {
  const { includeTools, excludeTools = [], allowedServers } = filter;
  for (const [field, names = []] of [
    ['includeTools', includeTools],
    ['excludeTools', excludeTools],
  ] as const) {
    // Tools of servers and other extensions come and go with them, and a server that is down does not end a session.
    const isKnown = (name: string): boolean =>
      /^(mcp|ext|vscode)__/.test(name) || EDITOR_TOOLS.includes(name) || tools.some((tool) => tool.name === name);
    const unknown = names.find((name) => !isKnown(name));
    if (unknown === undefined) continue;
    throw new AgentError({
      code: 'invalid_options',
      message: `Agent "${agentId}": ${field}: there is no tool "${unknown}". The tools are: ${tools.map(({ name }) => name).join(', ')}.`,
    });
  }
  return tools
    .filter(({ server }) => server === undefined || (allowedServers?.includes(server) ?? true))
    .map(({ name }) => name)
    .filter((name) => (includeTools?.includes(name) ?? true) && !excludeTools.includes(name));
}
