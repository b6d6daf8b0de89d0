import type { McpItems, McpOffer, McpServers, McpServersParts, McpServerSummary } from '../../mcp/mcpServers';
import type { McpServerConfig } from '../../mcp/serverConfig';
import type { McpPromptInfo } from '../../mcp/serverLists';
import { Emitter } from '../../util/emitter';

export interface McpAccessParts extends McpServersParts {
  /** Makes what speaks to the servers: once, and only where there is one. */
  readonly create: (parts: McpServersParts) => Promise<McpServers>;
  /** Asked at each use. */
  readonly isTrusted: () => boolean;
}

const nothing: McpOffer = { tools: [], instructions: [], problems: [] };

/**
 * The MCP servers of a process. What speaks to them is loaded when there is one, and nothing is started, asked or told in
 * a workspace that is not trusted.
 */
export class McpAccess {
  readonly #parts: McpAccessParts;
  readonly #changes: Emitter<void>;
  #servers: McpServers | undefined;
  /** Changes of the configuration, one after the other. Never rejects. */
  #settled: Promise<void> = Promise.resolve();

  constructor(parts: McpAccessParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that a server's state, or which servers there are, is another now. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** All that are configured, those that are off included; empty in a workspace that is not trusted. */
  get summaries(): readonly McpServerSummary[] {
    return this.#usable?.summaries ?? [];
  }

  /** See `McpServers.configure`. Never rejects. */
  configure(configs: readonly McpServerConfig[], off: Iterable<string> = []): Promise<void> {
    const change = async (): Promise<void> => {
      if (configs.length === 0 && !this.#servers) return;
      if (!this.#servers) {
        this.#servers = await this.#parts.create(this.#parts);
        this.#servers.onChange(() => this.#changes.emit());
      }
      await this.#servers.configure(configs, off);
    };
    this.#settled = this.#settled.then(change).catch(this.#parts.onInternalError);
    return this.#settled;
  }

  /** Resolves when what was configured so far counts. */
  ready(): Promise<void> {
    return this.#settled;
  }

  /** See `McpServers.offer`. Never rejects. */
  async offer(): Promise<McpOffer> {
    await this.#settled;
    return (await this.#usable?.offer()) ?? nothing;
  }

  /** See `McpServers.items`. Never rejects. */
  async items(): Promise<McpItems> {
    await this.#settled;
    return (await this.#usable?.items()) ?? { prompts: [], resources: [] };
  }

  /** Whether there is a server of this name that is to be used. */
  has(name: string): boolean {
    return this.#usable?.has(name) ?? false;
  }

  async prompts(name: string): Promise<readonly McpPromptInfo[]> {
    return this.#expectUsable().prompts(name);
  }

  async getPrompt(...given: Parameters<McpServers['getPrompt']>): Promise<string> {
    return this.#expectUsable().getPrompt(...given);
  }

  async readResource(...given: Parameters<McpServers['readResource']>): Promise<string> {
    return this.#expectUsable().readResource(...given);
  }

  async ask(name: string): Promise<boolean> {
    return (await this.#usable?.ask(name)) ?? false;
  }

  async restart(name: string): Promise<void> {
    await this.#usable?.restart(name);
  }

  /** Tells the servers that the workspace's folders are others now. */
  async rootsChanged(): Promise<void> {
    await this.#usable?.rootsChanged();
  }

  /** Resolves when nothing runs any more that was started here. */
  async dispose(): Promise<void> {
    await this.#settled;
    await this.#servers?.dispose();
    this.#changes.dispose();
  }

  get #usable(): McpServers | undefined {
    return this.#parts.isTrusted() ? this.#servers : undefined;
  }

  #expectUsable(): McpServers {
    if (!this.#usable) throw new Error('No MCP server is used here: the workspace is not trusted, or there is none.');
    return this.#usable;
  }
}
