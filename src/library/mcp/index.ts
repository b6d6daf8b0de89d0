/** `open-agent-sdk/mcp`: the tools of MCP servers as tools of a client. */
export { connectMcpServers } from './connectMcpServers';
export type { McpConnections, McpOptions, McpProcess, McpServerTable, McpTool, McpUrl } from './mcpConnections';
