/** Loads the MCP library. It is large, so it loads only when a server is configured. */
export async function loadSdk() {
  const [{ Client }, { SSEClientTransport }, { StreamableHTTPClientTransport }, stdio, messages, types] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/sse.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/client/stdio.js'),
      import('@modelcontextprotocol/sdk/shared/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
  const { getDefaultEnvironment } = stdio;
  const { ReadBuffer, serializeMessage } = messages;
  const { CallToolResultSchema, ListRootsRequestSchema, ListToolsResultSchema } = types;
  const { LoggingMessageNotificationSchema, ToolListChangedNotificationSchema, ErrorCode, McpError } = types;
  return {
    Client,
    SSEClientTransport,
    StreamableHTTPClientTransport,
    getDefaultEnvironment,
    ReadBuffer,
    serializeMessage,
    CallToolResultSchema,
    ErrorCode,
    ListRootsRequestSchema,
    ListToolsResultSchema,
    LoggingMessageNotificationSchema,
    ToolListChangedNotificationSchema,
    McpError,
  };
}

export type McpSdk = Awaited<ReturnType<typeof loadSdk>>;
