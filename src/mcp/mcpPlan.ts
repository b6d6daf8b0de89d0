import type { JsonObject } from '../util/json';

/** One call of a tool that a server provides. Plain data: what is approved is what is sent. */
export interface McpPlan {
  readonly kind: 'mcp';
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The server says that the tool changes nothing and reaches nothing but what the server holds: its word only. */
  readonly isReadOnly: boolean;
}
