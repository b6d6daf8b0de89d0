import * as vscode from 'vscode';
import { version } from '../../../package.json';
import { prepareText, type PreparedText } from '../../agent/mcp/prepareText';
import { McpServers, type McpItems, type McpOffer, type McpServerSummary } from '../../mcp/mcpServers';
import { parseMcpServers, type ParsedServers } from '../../mcp/serverConfig';
import { DisposableStore } from '../../util/disposable';
import type { Emitter } from '../../util/emitter';
import { visibleText } from '../../util/text/visibleText';
import { endTree } from '../../workspace/node/processes/endTree';
import type { WorkspaceMemory } from '../workspace/memory';
import { askArgument } from './askArgument';
import { confirmServer } from './confirmServer';
import { ServerMemory } from './serverMemory';

export interface WindowMcpParts {
  /** The user's memory, not the workspace's. */
  readonly memory: WorkspaceMemory;
  readonly homeDirectory: string;
  readonly fetch: typeof fetch;
  readonly log: { readonly info: (message: string) => void; readonly warn: (message: string) => void };
  /** Called when the person changes which servers or tools are used. */
  readonly onReconfigured: () => void;
  readonly onInternalError: (error: unknown) => void;
}

/** The MCP servers of this window: those of the user's settings, in a trusted workspace. They end with the window. */
export class WindowMcp {
  readonly #parts: WindowMcpParts;
  readonly #memory: ServerMemory;
  readonly #servers: McpServers;
  readonly #owned = new DisposableStore();
  readonly #stopping = new AbortController();

  constructor(parts: WindowMcpParts) {
    const { workspace } = vscode;
    this.#parts = parts;
    this.#memory = new ServerMemory(parts.memory);
    this.#servers = new McpServers({
      version,
      homeDirectory: parts.homeDirectory,
      fetch: parts.fetch,
      endTree,
      roots: () =>
        (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.toString()),
      pins: this.#memory,
      confirm: confirmServer,
      onLog: (server, line) => parts.log.info(`MCP server ${server}: ${visibleText(line, 'path')}`),
      now: Date.now,
      isTrusted: () => workspace.isTrusted,
      onInternalError: parts.onInternalError,
    });
    void this.#configure();
    this.#owned.add(workspace.onDidGrantWorkspaceTrust(() => void this.#configure()));
    this.#owned.add(
      workspace.onDidChangeConfiguration((event) => {
        // The sessions follow changed settings by themselves.
        if (event.affectsConfiguration('openAgent.mcpServers')) void this.#configure();
      }),
    );
    this.#owned.add(
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#servers.rootsChanged().catch(parts.onInternalError);
      }),
    );
  }

  get onChange(): Emitter<void>['on'] {
    return this.#servers.onChange;
  }

  get summaries(): readonly McpServerSummary[] {
    return this.#servers.summaries;
  }

  /** Problems of the setting, as texts for people. */
  get problems(): readonly string[] {
    return readSetting().problems;
  }

  /** The tools of all servers for a new client. Asks the person about new servers. Never rejects. */
  async offer(): Promise<McpOffer> {
    const offer = await this.#servers.offer();
    for (const problem of offer.problems) this.#parts.log.warn(visibleText(problem, 'code'));
    return offer;
  }

  /** The prompts and resources for the composer. Never rejects. */
  items(): Promise<McpItems> {
    return this.#servers.items();
  }

  /** See `prepareText`. */
  prepareText(text: string): Promise<PreparedText> {
    return prepareText(text, { mcp: this.#servers, askArgument, signal: this.#stopping.signal });
  }

  /** Asks about a server again, whatever the person answered before. Starts it when allowed. */
  async ask(server: string): Promise<void> {
    if (!(await this.#servers.ask(server))) return;
    await this.#servers.restart(server);
    this.#parts.onReconfigured();
  }

  async restart(server: string): Promise<void> {
    await this.#servers.restart(server);
    this.#parts.onReconfigured();
  }

  async switch(server: string, isOff: boolean): Promise<void> {
    await this.#memory.switch(server, isOff);
    await this.#configure();
    this.#parts.onReconfigured();
  }

  /** Resolves when all servers of this window have ended. */
  async dispose(): Promise<void> {
    this.#stopping.abort();
    this.#owned.dispose();
    await this.#servers.dispose();
  }

  #configure(): Promise<void> {
    return this.#servers.configure(readSetting().servers, this.#memory.off);
  }
}

/** Reads the user's setting: VS Code ignores it in workspaces. Without trust there are no servers. */
function readSetting(): ParsedServers {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return vscode.workspace.isTrusted ? parseMcpServers(configuration.get('mcpServers')) : { servers: [], problems: [] };
}
