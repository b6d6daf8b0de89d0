import { namesWithPrefix } from '../../mcp/toolNames';

/** What the model calls tools that VS Code knows of, in their order. No tool of the agent's own has such a name. */
export function nameVscodeTools(toolNames: readonly string[]): readonly string[] {
  return namesWithPrefix('vscode__', toolNames);
}
