import type { Tool } from '../../sdk/tool';

export type { JsonObject, JsonValue } from '../../util/json';
export type { ToolResultContent } from '../../sdk/messages';
export type { Planned, Preparation, ReadingFirst, Tool, ToolContext, ToolOutput } from '../../sdk/tool';
export type { Validation } from '../../sdk/schema/toolSchema';

/**
 * The API that the extension `open-agent.open-agent-vscode` gives to other extensions:
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<OpenAgentApi>('open-agent.open-agent-vscode');
 * const api = await extension?.activate();
 * if (api) context.subscriptions.push(api.registerTool(myTool));
 * ```
 *
 * Getting it loads almost nothing of the agent.
 */
export interface OpenAgentApi {
  /** Grows when something is added. Existing members stay as they are. */
  readonly version: 1;

  /**
   * Offers a tool to the model, from the next message of each session on. Make it with `tool()` of
   * `open-agent-sdk`, or write an object of the type yourself. Name, description and schema are copied now. The
   * model sees the name with the prefix `ext__`.
   *
   * Every call asks the person, and shows the id of your extension, the tool and all arguments. Before the person agrees
   * only `validate` is called; afterwards `prepare`, then `run`. A call ends after five minutes at the latest. A result of
   * more than 24,000 characters is cut. `display` and aliases are not used.
   *
   * Dispose the result to take the tool back: running calls are stopped and further calls refused.
   *
   * Throws an `Error` with the reason for a name that another tool has or that no server takes, for an object that is not a
   * tool, and when the caller is not an extension's own code.
   */
  registerTool(tool: Tool): { dispose(): void };
}
