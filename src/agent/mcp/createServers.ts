import { McpServers, type McpServersParts } from '../../mcp/mcpServers';

/** What speaks to MCP servers. Import this file when there is one. */
export function createServers(parts: McpServersParts): McpServers {
  return new McpServers(parts);
}
