import type { JsonObject } from '../util/json';

/** One call of an MCP server's tool. Plain data: the approved plan is what is sent. */
export interface McpPlan {
  readonly kind: 'mcp';
  readonly server: string;
  /** The server's name of the tool. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The server claims that the tool changes nothing and only reaches the server's own data. Not verified. */
  readonly isReadOnly: boolean;
}
