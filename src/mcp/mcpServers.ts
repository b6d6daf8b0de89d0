import * as l10n from '../util/l10n';
import { estimateTokens } from '../sdk/context/tokenCount';
import { toWireTools } from '../sdk/model/wire/wireRequest';
import { Emitter } from '../util/emitter';
import { createMcpTool, type McpTool } from './mcpTool';
import { McpServer, type McpServerParts, type McpServerState } from './mcpServer';
import { shorten } from './resultText';
import { describeServer, hashOf } from './describeServer';
import type { McpServerConfig } from './serverConfig';
import type { McpPromptInfo, McpResourceInfo, McpToolInfo } from './serverLists';
import { nameTools } from './nameTools';
import { messageOf } from '../util/errors';

export interface McpServersParts extends Omit<McpServerParts, 'onChange' | 'startTimeoutMs' | 'callTimeoutMs'> {
  readonly startTimeoutMs?: number | undefined;
  readonly callTimeoutMs?: number | undefined;
  /** Read anew for every use: in a workspace that is not trusted no server is started, asked or shown. */
  readonly isTrusted: () => boolean;
  readonly onInternalError: (error: unknown) => void;
}

/** The servers' contribution to a new client. */
export interface McpOffer {
  /** In the order of the configured servers. */
  readonly tools: readonly McpTool[];
  /** The servers' own instructions, shortened. */
  readonly instructions: readonly { readonly server: string; readonly text: string }[];
  /** Explains missing tools to a person. May quote a server. */
  readonly problems: readonly string[];
  /** What servers failed with. Absent: none failed. */
  readonly errors?: readonly unknown[] | undefined;
}

/** A server's state, for screens. */
export interface McpServerSummary {
  readonly name: string;
  readonly description: string;
  readonly state: McpServerState | { readonly kind: 'off' };
  /** The server reports tools that differ from those of the running sessions. */
  readonly hasNewTools: boolean;
  /** The cost of its tools in every prompt. Absent: not known yet. */
  readonly cost?: { readonly tools: number; readonly tokens: number } | undefined;
}

/** Prompts and resources that a person can use. */
export interface McpItems {
  readonly prompts: readonly ({ readonly server: string } & McpPromptInfo)[];
  readonly resources: readonly ({ readonly server: string } & McpResourceInfo)[];
}

interface Slot {
  readonly server: McpServer;
  readonly hash: string;
  cost?: McpServerSummary['cost'];
}

/** The longest time a server may take to start. */
export const START_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 300_000;

/** All servers of the process. Each starts on first use and restarts after it ended. */
export class McpServers {
  readonly #parts: McpServerParts;
  readonly #isTrusted: () => boolean;
  readonly #changes: Emitter<void>;
  #slots: readonly Slot[] = [];
  /** Resolves when the servers that a change of the configuration ended have ended. Never rejects. */
  #settled: Promise<unknown> = Promise.resolve();
  #off: ReadonlySet<string> = new Set();
  #isDisposed = false;

  constructor(parts: McpServersParts) {
    const { startTimeoutMs = START_TIMEOUT_MS, callTimeoutMs = CALL_TIMEOUT_MS } = parts;
    this.#changes = new Emitter(parts.onInternalError);
    this.#isTrusted = parts.isTrusted;
    this.#parts = { ...parts, startTimeoutMs, callTimeoutMs, onChange: () => this.#changes.emit() };
  }

  /** Tells that a server's state, or the list of servers, has changed. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** All configured servers, also those that are off. Empty in a workspace that is not trusted. */
  get summaries(): readonly McpServerSummary[] {
    if (!this.#isTrusted()) return [];
    return this.#slots.map(({ server, cost }) => ({
      name: server.config.name,
      description: describeServer(server.config),
      state: this.#isOff(server) ? { kind: 'off' } : server.state,
      hasNewTools: server.hasNewTools,
      ...(cost && { cost }),
    }));
  }

  /**
   * Sets the servers; those named in `off` are not used. Ends servers that are gone, off or changed, and keeps the others.
   * Resolves when the ended servers have ended.
   */
  async configure(configs: readonly McpServerConfig[], off: Iterable<string> = []): Promise<void> {
    const before = this.#slots;
    this.#off = new Set(off);
    this.#slots = configs.map((config) => {
      const hash = hashOf(config);
      return before.find((slot) => slot.hash === hash) ?? { server: new McpServer(config, this.#parts), hash };
    });
    const gone = before.filter((slot) => !this.#slots.includes(slot)).map(({ server }) => server.dispose());
    const stopped = this.#slots.filter(({ server }) => this.#isOff(server)).map(({ server }) => server.reset());
    this.#changes.emit();
    this.#settled = Promise.all([this.#settled, ...gone, ...stopped]);
    await this.#settled;
  }

  /** Returns the servers' tools. Asks for consent to new servers. Reports servers that do not start; never rejects. */
  async offer(): Promise<McpOffer> {
    await this.#settled;
    const slots = this.#used;
    // Questions come one after the other; the servers then start together.
    for (const { server } of slots) await server.isAllowed({ mayAsk: true });
    const found = await Promise.all(slots.map(async (slot) => this.#ask(slot)));
    const taken = new Set<string>();
    const tools: McpTool[] = [];
    const problems: string[] = [];
    found.forEach(({ infos, problem }, index) => {
      const slot = slots[index]!;
      if (problem !== undefined) problems.push(problem);
      const made = makeTools(slot.server, infos, taken);
      tools.push(...made.tools);
      problems.push(...made.problems);
      if (problem === undefined) {
        slot.cost = { tools: made.tools.length, tokens: estimateTokens(JSON.stringify(toWireTools(made.tools))) };
      }
      slot.server.toolsListed();
    });
    this.#changes.emit();
    const instructions = found
      .map(({ instructions: text }, index) => ({ server: slots[index]!.server.config.name, text }))
      .filter(({ text, server }) => text !== '' && tools.some((tool) => tool.server === server));
    const errors = found.flatMap(({ error }) => (error === undefined ? [] : [error]));
    return { tools, instructions, problems, ...(errors.length > 0 && { errors }) };
  }

  /** Returns the prompts and resources of the allowed servers; starts these servers. Leaves out servers that fail. */
  async items(): Promise<McpItems> {
    await this.#settled;
    const found = await Promise.all(
      this.#used.map(async ({ server }) => {
        const { name } = server.config;
        if (!(await server.isAllowed({ mayAsk: false }))) return { prompts: [], resources: [] };
        try {
          return await server.use(async (connection) => ({
            prompts: (await connection.listPrompts()).map((info) => ({ server: name, ...info })),
            resources: (await connection.listResources()).map((info) => ({ server: name, ...info })),
          }));
        } catch {
          // Its state shows the reason.
          return { prompts: [], resources: [] };
        }
      }),
    );
    return {
      prompts: found.flatMap(({ prompts }) => prompts),
      resources: found.flatMap(({ resources }) => resources),
    };
  }

  /** Returns whether a server with this name is in use. */
  has(name: string): boolean {
    return this.#used.some(({ server }) => server.config.name === name);
  }

  /** Lists a server's prompts. Rejects with a message for people. */
  prompts(name: string): Promise<readonly McpPromptInfo[]> {
    return this.#with(name, (server) => server.use((connection) => connection.listPrompts()));
  }

  /** Returns the text of a server's prompt. Rejects with a message for people. */
  getPrompt(
    name: string,
    prompt: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string> {
    return this.#with(name, (server) => server.use((connection) => connection.getPrompt(prompt, given, signal)));
  }

  /** Returns a server's resource as text. Rejects with a message for people. */
  readResource(name: string, uri: string, signal: AbortSignal): Promise<string> {
    return this.#with(name, (server) => server.use((connection) => connection.readResource(uri, signal)));
  }

  /** Asks for consent, even if a person has decided before. Never rejects. */
  async ask(name: string): Promise<boolean> {
    const slot = this.#used.find(({ server }) => server.config.name === name);
    return (await slot?.server.ask()) ?? false;
  }

  /** Restarts a server, if it is allowed. Its state shows the result; never rejects. */
  async restart(name: string): Promise<void> {
    await this.#settled;
    const slot = this.#used.find(({ server }) => server.config.name === name);
    if (!slot) return;
    await slot.server.reset();
    // A change of the configuration may remove the server or switch it off during each wait.
    if (!this.#used.includes(slot)) return;
    if (!(await slot.server.isAllowed({ mayAsk: true })) || !this.#used.includes(slot)) return;
    try {
      await slot.server.connect();
    } catch {
      // Its state shows the reason.
    }
  }

  /** Tells the servers that the workspace's folders have changed. */
  async rootsChanged(): Promise<void> {
    await Promise.all(this.#used.map(({ server }) => server.rootsChanged()));
  }

  /** Resolves when no server process runs. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([this.#settled, ...this.#slots.map(({ server }) => server.dispose())]);
    this.#changes.dispose();
  }

  get #used(): readonly Slot[] {
    return this.#isDisposed || !this.#isTrusted() ? [] : this.#slots.filter(({ server }) => !this.#isOff(server));
  }

  #isOff({ config }: McpServer): boolean {
    return this.#off.has(config.name);
  }

  async #ask({
    server,
  }: Slot): Promise<{ infos: readonly McpToolInfo[]; instructions: string; problem?: string; error?: unknown }> {
    const nothing = { infos: [], instructions: '' };
    const { name } = server.config;
    if (!(await server.isAllowed({ mayAsk: false }))) {
      const { state } = server;
      const why = state.kind === 'failed' ? state.reason : l10n.t('it was not allowed.');
      return { ...nothing, problem: l10n.t('The MCP server {0} is not used: {1}', name, why) };
    }
    try {
      return await server.use(async (connection) => ({
        infos: await connection.listTools(),
        instructions: connection.instructions,
      }));
    } catch (error) {
      const why = shorten(messageOf(error), 2_000);
      return { ...nothing, problem: l10n.t('The MCP server {0} is not available: {1}', name, why), error };
    }
  }

  async #with<T>(name: string, use: (server: McpServer) => Promise<T>): Promise<T> {
    await this.#settled;
    if (!this.#isTrusted()) throw new Error('No MCP server is used here: the workspace is not trusted.');
    const slot = this.#used.find(({ server }) => server.config.name === name);
    if (!slot) throw new Error(`There is no MCP server ${name}, or it is switched off.`);
    try {
      if (!(await slot.server.isAllowed({ mayAsk: true }))) throw new Error('It was not allowed.');
      return await use(slot.server);
    } catch (error) {
      const why = shorten(messageOf(error), 2_000);
      throw new Error(`The MCP server ${name} failed: ${why}`, { cause: error });
    }
  }
}

/** Makes the tools of one server, with unique names. Adds the names to `taken`. */
function makeTools(
  server: McpServer,
  infos: readonly McpToolInfo[],
  taken: Set<string>,
): { readonly tools: readonly McpTool[]; readonly problems: readonly string[] } {
  const { name: serverName } = server.config;
  const names = nameTools(
    serverName,
    infos.map(({ name }) => name),
    taken,
  );
  const tools: McpTool[] = [];
  const problems: string[] = [];
  infos.forEach((info, position) => {
    const name = names[position]!;
    taken.add(name);
    const made = createMcpTool(name, serverName, info, (plan, context) => server.call(plan, context));
    if (made) tools.push(made);
    else {
      const shown = JSON.stringify(shorten(info.name, 100));
      problems.push(`The tool ${shown} of the MCP server ${serverName} has a schema that cannot be used.`);
    }
  });
  return { tools, problems };
}
