import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { withoutLinkLocal } from './linkLocal';
import type { McpSdk } from './loadSdk';
import { ProcessTransport, type EndTree } from './processTransport';
import type { McpServerConfig } from '../serverConfig';

export interface TransportParts {
  /** Where a process runs when its configuration does not say. */
  readonly homeDirectory: string;
  readonly fetch: typeof fetch;
  readonly endTree: EndTree;
  /** Hears what a process writes for people, in pieces. */
  readonly onLog: (text: string) => void;
}

/** The way to a server, not connected yet. */
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
