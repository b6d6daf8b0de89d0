import type { ToolContext, ToolOutput } from '../sdk/tool';
import { McpConnection, type ConnectionParts, type McpToolInfo } from './connection';
import type { McpPlan } from './mcpPlan';
import { createMcpTool, type McpTool } from './mcpTool';
import { pinOf, type PinQuestion, type PinStore } from './pin';
import { shorten } from './resultText';
import type { McpServerConfig } from './serverConfig';
import { nameTools } from './toolNames';

export interface McpServersParts extends Omit<ConnectionParts, 'startTimeoutMs' | 'callTimeoutMs' | 'signal'> {
  readonly servers: readonly McpServerConfig[];
  readonly pins: PinStore;
  /** Asks a person whether a server may be used. Rejecting counts as no. */
  readonly confirm: (question: PinQuestion) => Promise<boolean>;
  /** Hears, for people, why a server's tools are missing. The words may be the server's. */
  readonly onProblem: (message: string) => void;
  /** In milliseconds. */
  readonly now: () => number;
  readonly startTimeoutMs?: number | undefined;
  readonly callTimeoutMs?: number | undefined;
}

const START_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 300_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** The servers of one process: started when their tools are first needed, and again after they ended. */
export class McpServers {
  readonly #parts: McpServersParts;
  readonly #servers: readonly ServerSlot[];
  readonly #stopping = new AbortController();

  constructor(parts: McpServersParts) {
    this.#parts = parts;
    this.#servers = parts.servers.map((config) => ({ config, failures: 0, nextAttemptMs: 0 }));
  }

  /**
   * The tools that the servers provide now, server by server in the order of the configuration. A server that is not
   * there is said to be missing and left out; never rejects. One that a person refused is not asked about again.
   */
  async tools(): Promise<readonly McpTool[]> {
    // One question after the other, and the servers themselves all at once.
    for (const slot of this.#servers) await this.#checkPin(slot);
    const found = await Promise.all(this.#servers.map(async (slot) => this.#toolsOf(slot)));
    const taken = new Set<string>();
    return found.flatMap((infos, index) => {
      const server = this.#servers[index]!;
      const names = nameTools(
        server.config.name,
        infos.map(({ name }) => name),
        taken,
      );
      return infos.flatMap((info, position) => {
        const name = names[position]!;
        taken.add(name);
        const made = createMcpTool(name, server.config.name, info, (plan, context) =>
          this.#call(server, plan, context),
        );
        if (made) return [made];
        this.#parts.onProblem(
          `The tool ${JSON.stringify(info.name)} of the MCP server ${server.config.name} has a schema that cannot be used.`,
        );
        return [];
      });
    });
  }

  /** Resolves when no server of a process's own runs any more. */
  async dispose(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(
      this.#servers.map(async (slot) => {
        try {
          await (await slot.connecting)?.close();
        } catch {
          // It never connected, and says so to whoever waits for it.
        }
      }),
    );
  }

  async #checkPin(slot: ServerSlot): Promise<void> {
    if (slot.isAllowed !== undefined) return;
    const { config } = slot;
    const { pins, confirm, onProblem } = this.#parts;
    const { hash, description } = pinOf(config);
    try {
      const before = await pins.get(config.name);
      if (before?.hash === hash) {
        slot.isAllowed = true;
        return;
      }
      const question = { server: config.name, kind: config.kind, after: description };
      slot.isAllowed = await confirm(before ? { ...question, before: before.description } : question);
      if (slot.isAllowed) await pins.set(config.name, { hash, description });
      else onProblem(`The MCP server ${config.name} was not allowed, so it is not used.`);
    } catch (error) {
      slot.isAllowed = false;
      onProblem(`The MCP server ${config.name} is not used: ${messageOf(error)}`);
    }
  }

  async #toolsOf(slot: ServerSlot): Promise<readonly McpToolInfo[]> {
    if (slot.isAllowed !== true) return [];
    const { name } = slot.config;
    try {
      const connection = await this.#connect(slot);
      return await connection.listTools(this.#startTimeoutMs);
    } catch (error) {
      this.#parts.onProblem(`The MCP server ${name} is not available: ${shorten(messageOf(error), 2_000)}`);
      return [];
    }
  }

  /** The connection there is, or a new one; after failures not before a pause that doubles. */
  async #connect(slot: ServerSlot): Promise<McpConnection> {
    const { now } = this.#parts;
    if (slot.connection?.isOpen === false) {
      slot.connection = undefined;
      slot.connecting = undefined;
    }
    if (slot.connecting) return slot.connecting;
    if (this.#stopping.signal.aborted) throw new Error('It was stopped.');
    const waitMs = slot.nextAttemptMs - now();
    if (waitMs > 0) throw new Error(`It failed before; the next try is in ${Math.ceil(waitMs / 1000)} seconds.`);
    const connecting = McpConnection.open(slot.config, {
      ...this.#parts,
      signal: this.#stopping.signal,
      startTimeoutMs: this.#startTimeoutMs,
      callTimeoutMs: this.#parts.callTimeoutMs ?? CALL_TIMEOUT_MS,
    });
    slot.connecting = connecting;
    try {
      slot.connection = await connecting;
      slot.failures = 0;
      return slot.connection;
    } catch (error) {
      slot.connecting = undefined;
      slot.nextAttemptMs = now() + Math.min(FIRST_PAUSE_MS * 2 ** slot.failures, LONGEST_PAUSE_MS);
      slot.failures += 1;
      throw error;
    }
  }

  get #startTimeoutMs(): number {
    return this.#parts.startTimeoutMs ?? START_TIMEOUT_MS;
  }

  async #call(slot: ServerSlot, plan: McpPlan, context: ToolContext): Promise<ToolOutput> {
    const { signal } = context;
    const server = `The MCP server ${slot.config.name}`;
    let connection: McpConnection;
    try {
      connection = await this.#connect(slot);
    } catch (error) {
      return failure(`${server} is not available, so nothing was done: ${shorten(messageOf(error), 2_000)}`);
    }
    if (signal.aborted) return failure('The call was stopped before it was sent.');
    try {
      const { text, isError } = await connection.callTool(plan.tool, plan.arguments, {
        signal,
        onProgress: (text) => context.progress(text),
      });
      return { content: text, isError };
    } catch (error) {
      if (signal.aborted) return failure('The call was stopped. What the server had done by then is not known.');
      if (connection.isOpen) return failure(shorten(messageOf(error), 2_000));
      // Not sent again: it may have had its effect.
      return failure(
        `${server} did not finish the call: ${shorten(messageOf(error), 2_000)} What it had done by then is not known.`,
      );
    }
  }
}

interface ServerSlot {
  readonly config: McpServerConfig;
  /** Absent: nobody has been asked yet. */
  isAllowed?: boolean;
  connecting?: Promise<McpConnection> | undefined;
  connection?: McpConnection | undefined;
  failures: number;
  nextAttemptMs: number;
}

function failure(content: string): ToolOutput {
  return { content, isError: true };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
