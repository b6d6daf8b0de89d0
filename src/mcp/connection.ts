import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JsonObject } from '../util/json';
import { loadSdk, type McpSdk } from './transport/loadSdk';
import { openTransport, type TransportParts } from './transport/openTransport';
import { promptText, resourceText, resultText, shorten } from './resultText';
import type { McpServerConfig } from './serverConfig';
import { asSentence, isHangUp, withSentence } from './serverErrors';
import {
  promptInfo,
  readPages,
  resourceInfos,
  toolInfo,
  type McpPromptInfo,
  type McpResourceInfo,
  type McpToolInfo,
} from './serverLists';
import { withDeadline } from './transport/withDeadline';
import { messageOf } from '../util/errors';

export interface ConnectionParts extends TransportParts {
  readonly version: string;
  /** URIs of the folders that a server with `roots` gets when it asks. */
  readonly roots: () => readonly string[];
  readonly startTimeoutMs: number;
  /** The longest wait without an answer or a progress message. */
  readonly callTimeoutMs: number;
  /** Aborted when the server is no longer needed. Ends a start under way. */
  readonly signal: AbortSignal;
  /** Called when the server reports that its tools have changed. */
  readonly onToolsChanged: () => void;
  /** Called when the server ended or hung up by itself. `lastWords`: the last output of its process; may be empty. */
  readonly onLost: (lastWords: string) => void;
}

export interface McpCallResult {
  readonly text: string;
  readonly isError: boolean;
}

const MAX_LOG_CHARACTERS = 2_000;
const MAX_INSTRUCTIONS = 2_000;

/**
 * A connected server. It gets this client's name and, where its configuration says so, the workspace's folders. It may
 * ask neither the model (`sampling`) nor the person (`elicitation`).
 */
export class McpConnection {
  readonly #sdk: McpSdk;
  readonly #client: Client;
  readonly #parts: ConnectionParts;
  #isOpen = true;

  readonly #hasRoots: boolean;

  private constructor(
    { sdk, client, config }: { readonly sdk: McpSdk; readonly client: Client; readonly config: McpServerConfig },
    parts: ConnectionParts,
    lastWords: () => string,
  ) {
    this.#hasRoots = config.roots === true;
    this.#sdk = sdk;
    this.#client = client;
    this.#parts = parts;
    client.onclose = () => {
      if (!this.#isOpen) return;
      this.#isOpen = false;
      parts.onLost(lastWords());
    };
  }

  /** Rejects when the server is not ready in time, with its last output. Ends its process then. */
  static async open(config: McpServerConfig, parts: ConnectionParts): Promise<McpConnection> {
    let log = '';
    const onLog = (text: string): void => {
      log = (log + text).slice(-MAX_LOG_CHARACTERS);
      parts.onLog(text);
    };
    const lastWords = (): string => log.trim().split('\n').slice(-3).join('\n');
    const sdk = await loadSdk();
    const client = new sdk.Client(
      { name: 'open-agent', version: parts.version },
      {
        capabilities: config.roots ? { roots: { listChanged: true } } : {},
        // Nothing relies on a server's output schemas, so they are not compiled.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
      },
    );
    if (config.roots) {
      client.setRequestHandler(sdk.ListRootsRequestSchema, () => ({ roots: parts.roots().map((uri) => ({ uri })) }));
    }
    client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, () => parts.onToolsChanged());
    client.setNotificationHandler(sdk.LoggingMessageNotificationSchema, ({ params: { level, data } }) => {
      onLog(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}\n`);
    });
    const transport = openTransport(config, sdk, { ...parts, onLog });
    const { startTimeoutMs: timeoutMs, signal } = parts;
    try {
      // Connecting may hang before the first request, and only requests have a time limit.
      await withDeadline(client.connect(transport, { timeout: timeoutMs }), { timeoutMs, signal });
      return new McpConnection({ sdk, client, config }, parts, lastWords);
    } catch (error) {
      // The process still runs after a request that timed out.
      await transport.close();
      const last = lastWords();
      const message = describeStart(error, sdk);
      throw new Error(last === '' ? message : `${message} It wrote: ${last}`, { cause: error });
    }
  }

  /** False once the server has ended or hung up. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The server's own instructions, shortened; may be empty. */
  get instructions(): string {
    return shorten(this.#client.getInstructions()?.trim() ?? '', MAX_INSTRUCTIONS);
  }

  async listTools(): Promise<readonly McpToolInfo[]> {
    if (!this.#client.getServerCapabilities()?.tools) return [];
    const { ListToolsResultSchema } = this.#sdk;
    const tools = await readPages(async (params) => {
      const request = { method: 'tools/list', params } as const;
      const { tools: items, nextCursor } = await this.#ask(
        this.#client.request(request, ListToolsResultSchema, this.#brief),
      );
      return { items, next: nextCursor };
    });
    return tools.map(toolInfo);
  }

  async listPrompts(): Promise<readonly McpPromptInfo[]> {
    if (!this.#client.getServerCapabilities()?.prompts) return [];
    const prompts = await readPages(async (params) => {
      const { prompts: items, nextCursor } = await this.#ask(this.#client.listPrompts(params, this.#brief));
      return { items, next: nextCursor };
    });
    return prompts.map(promptInfo);
  }

  async listResources(): Promise<readonly McpResourceInfo[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    const resources = await readPages(async (params) => {
      const { resources: items, nextCursor } = await this.#ask(this.#client.listResources(params, this.#brief));
      return { items, next: nextCursor };
    });
    const templates = await readPages(async (params) => {
      const { resourceTemplates: items, nextCursor } = await this.#ask(
        this.#client.listResourceTemplates(params, this.#brief),
      );
      return { items, next: nextCursor };
    });
    return resourceInfos(resources, templates);
  }

  /** Returns the text of a server's prompt. Rejects when the server refuses. */
  async getPrompt(name: string, given: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
    const request = this.#client.getPrompt({ name, arguments: { ...given } }, { ...this.#brief, signal });
    return promptText(await this.#ask(request, signal));
  }

  /** Returns a resource as text. Rejects when the server refuses. */
  async readResource(uri: string, signal: AbortSignal): Promise<string> {
    return resourceText(await this.#ask(this.#client.readResource({ uri }, { ...this.#brief, signal }), signal));
  }

  /** Rejects when the server refuses the call, hangs up, or is silent for too long. */
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
        timeout: this.#parts.callTimeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message = '' }) => {
          const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
          onProgress(`${amount}${message === '' ? '' : ` ${shorten(message, 500)}`}\n`);
        },
      },
    );
    const result = await this.#ask(call, signal);
    return { text: resultText(result), isError: result.isError === true };
  }

  /** Tells the server that the workspace's folders have changed, if it gets them. */
  async rootsChanged(): Promise<void> {
    if (this.#hasRoots) await this.#client.sendRootsListChanged();
  }

  /** Resolves when no process of the server runs. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#client.close();
  }

  get #brief(): { readonly timeout: number } {
    return { timeout: this.#parts.startTimeoutMs };
  }

  /** Closes the connection when the server does not answer, or answers nonsense. The next call opens a new one. */
  async #ask<T>(request: Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await request;
    } catch (error) {
      const { ErrorCode, McpError } = this.#sdk;
      const isAnswer =
        error instanceof McpError && error.code !== ErrorCode.RequestTimeout && !isHangUp(error, this.#sdk);
      if (!isAnswer && !signal?.aborted) await this.close();
      throw withSentence(error, this.#sdk);
    }
  }
}

/** Explains in a sentence why a server could not be started or reached. */
function describeStart(error: unknown, sdk: McpSdk): string {
  if (isHangUp(error, sdk)) return 'It ended before it was ready.';
  return asSentence(messageOf(withSentence(error, sdk)));
}
