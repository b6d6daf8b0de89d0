/// <reference lib="esnext.disposable" preserve="true" />
import type { Fetch } from '../../sdk/platform';
import type { Tool } from '../../sdk/tool';

/** An MCP server that is started as a process. It has all rights of this program. */
export interface McpProcess {
  /** Default: `stdio`. */
  readonly type?: 'stdio' | undefined;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables that every process needs. The others of this program are not passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absolute. Default: the working folder of this program. */
  readonly cwd?: string | undefined;
  /** The server gets `folders`. Some servers then use these in place of the folders of their command line. */
  readonly roots?: boolean | undefined;
}

/** An MCP server that runs elsewhere. */
export interface McpUrl {
  /** Default: `http`, the streamable transport. `sse` is the one before it. */
  readonly type?: 'http' | 'sse' | undefined;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The server gets `folders`. */
  readonly roots?: boolean | undefined;
}

/** MCP servers by name. The name is a part of the names of its tools. */
export type McpServerTable = Readonly<Record<string, McpProcess | McpUrl>>;

/** The options of `connectMcpServers`. */
export interface McpOptions {
  /** Use the servers that start, and name the others in `problems`. Default: any problem rejects. */
  readonly allowMissing?: boolean | undefined;
  /** Absolute paths of the folders for servers with `roots`. */
  readonly folders?: readonly string[] | undefined;
  /** How long a server may take to start, in milliseconds. Default: 30,000. */
  readonly startTimeoutMs?: number | undefined;
  /** How long a call may be silent, in milliseconds. Default: 300,000. */
  readonly callTimeoutMs?: number | undefined;
  /** For servers at a URL. Default: that of the platform. */
  readonly fetch?: Fetch | undefined;
  /** Gets the log of the servers, line by line. */
  readonly onLog?: ((server: string, line: string) => void) | undefined;
}

/** A tool of an MCP server. Its name is `mcp__SERVER__TOOL`. */
export interface McpTool extends Tool {
  /** The name of its server. */
  readonly server: string;
}

/** Running MCP servers and their tools. */
export interface McpConnections extends AsyncDisposable {
  /** In the order of the servers. They stay the same; a server that ended is started again by the next call. */
  readonly tools: readonly McpTool[];
  /** What the servers say about their use, shortened. Foreign text: it can go into a system prompt, and decides nothing. */
  readonly instructions: readonly { readonly server: string; readonly text: string }[];
  /** Servers and tools that cannot be used, and why. */
  readonly problems: readonly string[];
  /** Ends the servers. Resolves when none of their processes runs. */
  close(): Promise<void>;
}
