import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../util/json';
import { withoutLinkLocal } from './linkLocal';
import { loadSdk, type McpSdk } from './loadSdk';
import { ProcessTransport, type EndTree } from './processTransport';
import { resultText, shorten } from './resultText';
import type { McpServerConfig } from './serverConfig';

export interface ConnectionParts {
  readonly version: string;
  readonly homeDirectory: string;
  readonly fetch: typeof fetch;
  readonly endTree: EndTree;
  /** URIs of the folders that a server is told of when it asks. */
  readonly roots: () => readonly string[];
  readonly startTimeoutMs: number;
  /** Aborted when the server is not needed any more: what has not started yet is given up. */
  readonly signal: AbortSignal;
  /** Without an answer or word of progress. */
  readonly callTimeoutMs: number;
}

/** What a server says about one of its tools; every word of it is the server's. */
export interface McpToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface McpCallResult {
  readonly text: string;
  readonly isError: boolean;
}

const MAX_TOOLS = 200;
const MAX_PAGES = 20;
const MAX_LOG_CHARACTERS = 2_000;

/**
 * One server, connected. It is told nothing but this client's name and, when it asks, the workspace's folders: it may
 * neither ask the model (`sampling`) nor the person (`elicitation`).
 */
export class McpConnection {
  readonly #sdk: McpSdk;
  readonly #client: Client;
  readonly #callTimeoutMs: number;
  #isOpen = true;

  private constructor(sdk: McpSdk, client: Client, callTimeoutMs: number) {
    this.#sdk = sdk;
    this.#client = client;
    this.#callTimeoutMs = callTimeoutMs;
    client.onclose = () => {
      this.#isOpen = false;
    };
  }

  /** Rejects, with what the server wrote last, when it is not ready in time; nothing of it is left running then. */
  static async open(config: McpServerConfig, parts: ConnectionParts): Promise<McpConnection> {
    let log = '';
    const onLog = (text: string): void => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
    };
    const sdk = await loadSdk();
    const client = new sdk.Client(
      { name: 'open-agent', version: parts.version },
      {
        capabilities: { roots: {} },
        // What a server says of its own results decides nothing here, so that its schemas need not be compiled.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
      },
    );
    client.setRequestHandler(sdk.ListRootsRequestSchema, () => ({ roots: parts.roots().map((uri) => ({ uri })) }));
    const transport = transportTo(config, sdk, parts, onLog);
    try {
      await withDeadline(client.connect(transport, { timeout: parts.startTimeoutMs }), parts);
      return new McpConnection(sdk, client, parts.callTimeoutMs);
    } catch (error) {
      // A request that timed out leaves the process running.
      await transport.close();
      const last = log.trim().split('\n').slice(-3).join('\n');
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(last === '' ? message : `${message} It wrote: ${last}`, { cause: error });
    }
  }

  /** False as soon as the server has ended or hung up. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All pages of the list, up to 200 tools. */
  async listTools(timeoutMs: number): Promise<readonly McpToolInfo[]> {
    if (!this.#client.getServerCapabilities()?.tools) return [];
    const tools: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#orClose(
        this.#client.request({ method: 'tools/list', params }, this.#sdk.ListToolsResultSchema, { timeout: timeoutMs }),
      );
      tools.push(...result.tools);
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    return tools.slice(0, MAX_TOOLS).map(({ name, description, title, inputSchema }) => ({
      name,
      description: description ?? title ?? '',
      inputSchema: inputSchema as unknown as JsonObject,
    }));
  }

  /** Rejects when the server refuses the call as such, hangs up or says nothing for too long. */
  async callTool(
    name: string,
    given: JsonObject,
    { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (text: string) => void },
  ): Promise<McpCallResult> {
    const call = this.#client.request(
      { method: 'tools/call', params: { name, arguments: given } },
      this.#sdk.CallToolResultSchema,
      {
        signal,
        timeout: this.#callTimeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message = '' }) => {
          const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
          onProgress(`${amount}${message === '' ? '' : ` ${shorten(message, 500)}`}\n`);
        },
      },
    );
    const result = await this.#orClose(call, signal);
    return { text: resultText(result), isError: result.isError === true };
  }

  /** A server that does not answer, or not sensibly, is given up, so that the next call starts it or reaches it anew. */
  async #orClose<T>(request: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await request;
    } catch (error) {
      const { ErrorCode, McpError } = this.#sdk;
      const isAnswer =
        error instanceof McpError && ![ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed].includes(error.code);
      if (!isAnswer && !signal?.aborted) await this.close();
      throw error;
    }
  }

  /** Resolves when nothing of the server runs any more. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#client.close();
  }
}

function transportTo(
  config: McpServerConfig,
  sdk: McpSdk,
  parts: ConnectionParts,
  onLog: (text: string) => void,
): Transport {
  switch (config.kind) {
    case 'stdio': {
      const { homeDirectory, endTree } = parts;
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

/** To connect may hang before the first request, which alone has a time-out of its own. */
async function withDeadline(
  work: Promise<void>,
  { startTimeoutMs, signal }: Pick<ConnectionParts, 'startTimeoutMs' | 'signal'>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    const seconds = startTimeoutMs / 1000;
    timer = setTimeout(() => reject(new Error(`It was not ready within ${seconds} seconds.`)), startTimeoutMs);
    stop = () => reject(new Error('It was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    await Promise.race([work, givenUp]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}
