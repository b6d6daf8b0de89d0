import { AgentError } from '../../sdk/errors';
import { languageServerTools } from '../../workspace/tools/workspaceToolNames';
import type { AgentDefinition } from './agentDefinition';

/** A tool and the server or extension that provides it; absent for the agent's own tools. */
export interface ProvidedTool {
  readonly name: string;
  readonly server?: string | undefined;
}

export type AgentToolFilter = Pick<AgentDefinition, 'includeTools' | 'excludeTools' | 'allowedServers'>;

/** Tools that exist only in the editor, some only with a language server. An agent that names one works without it too. */
const EDITOR_TOOLS: readonly string[] = ['get_diagnostics', ...languageServerTools];

/** The tools of an agent that are missing without an editor or a language server; for a warning. */
export function missingTools(
  tools: readonly ProvidedTool[],
  { includeTools = [] }: AgentToolFilter,
): readonly string[] {
  return includeTools.filter((name) => EDITOR_TOOLS.includes(name) && tools.every((tool) => tool.name !== name));
}

/**
 * The names of the tools that an agent may use, in the given order. Throws `invalid_options` for the name of no tool: a
 * misspelled name in `excludeTools` would leave the tool in use.
 */
export function usableTools(tools: readonly ProvidedTool[], filter: AgentToolFilter, agentId = ''): readonly string[] {
  const { includeTools, excludeTools = [], allowedServers } = filter;
  for (const [field, names = []] of [
    ['includeTools', includeTools],
    ['excludeTools', excludeTools],
  ] as const) {
    // Tools of servers and extensions may be missing for now: a server that is down does not end a session.
    const isKnown = (name: string): boolean =>
      /^(mcp|ext|vscode)__/.test(name) || EDITOR_TOOLS.includes(name) || tools.some((tool) => tool.name === name);
    const unknown = names.find((name) => !isKnown(name));
    if (unknown === undefined) continue;
    const known =
      tools.length === 0 ? 'There are no tools' : `The tools are: ${tools.map(({ name }) => name).join(', ')}`;
    throw new AgentError({
      code: 'invalid_options',
      message: `Agent "${agentId}": ${field}: there is no tool "${unknown}". ${known}.`,
    });
  }
  return tools
    .filter(({ server }) => server === undefined || (allowedServers?.includes(server) ?? true))
    .map(({ name }) => name)
    .filter((name) => (includeTools?.includes(name) ?? true) && !excludeTools.includes(name));
}
