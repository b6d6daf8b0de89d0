import type { McpConnections, McpOptions, McpServerTable } from './mcpConnections';

/**
 * Starts MCP servers and lists their tools. A server may ask neither the model nor the person. Rejects with `invalid_options` for a
 * table that cannot be used. Rejects with `connection` when a server or tool cannot be used, unless `allowMissing`; nothing runs then.
 *
 * ```ts
 * await using mcp = await connectMcpServers({
 *   files: { command: 'npx', args: ['@modelcontextprotocol/server-filesystem', '/home/ada/notes'] },
 * });
 * await using client = new Client({ ...options, tools: mcp.tools, autoExecuteTools: true });
 * ```
 */
export async function connectMcpServers(table: McpServerTable, options: McpOptions = {}): Promise<McpConnections> {
  const { startServers } = await import('./startServers');
  return startServers(table, options);
}
