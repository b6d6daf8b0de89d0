import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { withoutLinkLocal } from './linkLocal';
import type { McpSdk } from './loadSdk';
import { ProcessTransport, type EndTree } from './processTransport';
import type { McpServerConfig } from '../serverConfig';

export interface TransportParts {
  /** The working folder of a process whose configuration names none. */
  readonly homeDirectory: string;
  readonly fetch: typeof fetch;
  readonly endTree: EndTree;
  /** Gets the log output of a process, in pieces. */
  readonly onLog: (text: string) => void;
}

/** Makes the transport to a server. Not connected yet. */
export function openTransport(config: McpServerConfig, sdk: McpSdk, parts: TransportParts): Transport {
  switch (config.kind) {
    case 'stdio': {
      const { homeDirectory, endTree, onLog } = parts;
      return new ProcessTransport({ sdk, config, homeDirectory, endTree, onLog });
    }
    case 'http':
    case 'sse': {
      const options = { fetch: withoutLinkLocal(parts.fetch), requestInit: { headers: { ...config.headers } } };
      const url = new URL(config.url);
      return config.kind === 'http'
        ? new sdk.StreamableHTTPClientTransport(url, options)
        : new sdk.SSEClientTransport(url, options);
    }
    default:
      return config satisfies never;
  }
}
