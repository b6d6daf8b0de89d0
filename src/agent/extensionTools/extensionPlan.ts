import type { JsonObject } from '../../util/json';

/** One call of a tool that another extension provides. Plain data: what is approved is what the tool gets. */
export interface ExtensionPlan {
  readonly kind: 'extension';
  /** The id of the extension; `null`: VS Code itself, or an MCP server of its own configuration. */
  readonly extension: string | null;
  /** The provider's name for it. */
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Who provides a tool, for people and models. */
export function providerName(extension: string | null): string {
  return extension === null ? 'VS Code' : `the extension ${extension}`;
}
