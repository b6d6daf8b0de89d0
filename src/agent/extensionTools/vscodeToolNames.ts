import { namesWithPrefix } from '../../mcp/nameTools';

/** The model's names for VS Code's tools, in their order. No tool of the agent has such a name. */
export function nameVscodeTools(toolNames: readonly string[]): readonly string[] {
  return namesWithPrefix('vscode__', toolNames);
}
