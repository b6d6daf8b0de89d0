import type { Tool } from '../../sdk/tool';

export type { JsonObject, JsonValue } from '../../util/json';
export type { ToolResultContent } from '../../sdk/messages';
export type { Preparation, Tool, ToolContext, ToolOutput } from '../../sdk/tool';
export type { Validation } from '../../sdk/toolSchema';

/**
 * What the extension `open-agent.open-agent-vscode` gives to other extensions:
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<OpenAgentApi>('open-agent.open-agent-vscode');
 * const api = await extension?.activate();
 * if (api) context.subscriptions.push(api.registerTool(myTool));
 * ```
 *
 * Getting it loads next to nothing of the agent.
 */
export interface OpenAgentApi {
  /** Grows when something is added; what is there stays as it is. */
  readonly version: 1;

  /**
   * Offers a tool to the model, from the next message of each session on. Make it with `tool()` of `open-agent-vscode/sdk`, or
   * write an object of the type yourself. Name, description and schema are copied now;
   * the model knows it as `ext__` and its name.
   *
   * Every call asks the person, who sees the id of your extension, the tool and all arguments. Until they agree only
   * `validate` is called; then `prepare` and `run`, one after the other. A call ends after five minutes at the latest; a result of more
   * than 24,000 characters is cut; `display` and aliases are not used.
   *
   * Dispose what is returned to take the tool back: calls that run are stopped, and further ones refused.
   *
   * Throws an `Error` that says why for a name that another tool has or that no server takes, for something that is no tool, and
   * when it is not called by an extension's own code.
   */
  registerTool(tool: Tool): { dispose(): void };
}
