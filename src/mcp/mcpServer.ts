import type { ToolContext, ToolOutput } from '../sdk/tool';
import { McpConnection, type ConnectionParts } from './connection';
import { askForConsent, knownConsent, type ConsentParts } from './consent';
import type { McpPlan } from './mcpPlan';
import { shorten } from './resultText';
import type { McpServerConfig } from './serverConfig';
import { asSentence } from './serverErrors';
import { messageOf } from '../util/errors';

export interface McpServerParts
  extends ConsentParts, Omit<ConnectionParts, 'signal' | 'onLog' | 'onToolsChanged' | 'onLost'> {
  /** Gets the server's log output, line by line. */
  readonly onLog: (server: string, line: string) => void;
  /** Called when the state has changed. */
  readonly onChange: () => void;
  /** In milliseconds. */
  readonly now: () => number;
}

/**
 * `idle`: not needed yet · `needs_consent`: a person has not allowed this configuration, or has refused it · `failed`: it
 * did not start, or ended by itself; the next use tries again.
 */
export type McpServerState =
  | { readonly kind: 'idle' | 'starting' | 'connected' }
  | { readonly kind: 'needs_consent'; readonly isRefused: boolean }
  | { readonly kind: 'failed'; readonly reason: string };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const MAX_REASON = 2_000;

/** One server. Asks for consent, starts the server on first use, and restarts it after it ended. */
export class McpServer {
  readonly config: McpServerConfig;
  readonly #parts: McpServerParts;
  readonly #log: (text: string) => void;
  /** Aborting ends everything under way. A restart replaces it. */
  #stopping = new AbortController();
  #state: McpServerState = { kind: 'idle' };
  #hasNewTools = false;
  #isAllowed: boolean | undefined;
  #asking: Promise<boolean> | undefined;
  #connecting: Promise<McpConnection> | undefined;
  #connection: McpConnection | undefined;
  #failures = 0;
  #nextAttemptMs = 0;

  constructor(config: McpServerConfig, parts: McpServerParts) {
    this.config = config;
    this.#parts = parts;
    this.#log = byLine((line) => parts.onLog(config.name, line));
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** The server reported new tools after they were last listed. */
  get hasNewTools(): boolean {
    return this.#hasNewTools;
  }

  /** Returns whether a person has allowed this configuration. Asks once, if `mayAsk`. */
  async isAllowed({ mayAsk }: { readonly mayAsk: boolean }): Promise<boolean> {
    if (this.#isAllowed !== undefined) return this.#isAllowed;
    try {
      const known = await knownConsent(this.config, this.#parts);
      if (known === 'unknown' && mayAsk) return await this.ask();
      // A refusal without a question is not final: a later call may ask.
      if (known !== 'unknown') this.#isAllowed = known === 'allowed';
      if (known !== 'allowed') this.#setState({ kind: 'needs_consent', isRefused: known === 'refused' });
    } catch (error) {
      this.#refuse(error);
    }
    return this.#isAllowed ?? false;
  }

  /** Asks for consent, even if a person has decided before. Calls at the same time share one question. Never rejects. */
  ask(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /**
   * Returns the open connection, or opens one. After a failure it waits first; the wait doubles each time. Rejects with a
   * message for people.
   */
  async connect(): Promise<McpConnection> {
    if (this.#isAllowed !== true) throw new Error('It is not allowed.');
    if (this.#connection?.isOpen === false) {
      this.#connection = undefined;
      this.#connecting = undefined;
    }
    if (this.#connecting) return this.#connecting;
    const waitMs = this.#nextAttemptMs - this.#parts.now();
    if (waitMs > 0) throw new Error(`It failed before; the next try is in ${Math.ceil(waitMs / 1000)} seconds.`);
    const { signal } = this.#stopping;
    if (signal.aborted) throw new Error('It was stopped.');
    this.#setState({ kind: 'starting' });
    const connecting = this.#open(signal);
    this.#connecting = connecting;
    return connecting;
  }

  /** Runs `use` with a connection. Rejects with a message for people. A lost connection sets the state to `failed`. */
  async use<T>(use: (connection: McpConnection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    try {
      return await use(connection);
    } catch (error) {
      if (!connection.isOpen) this.#fail(messageOf(error));
      throw error;
    }
  }

  /** Marks the current tools as known. */
  toolsListed(): void {
    if (!this.#hasNewTools) return;
    this.#hasNewTools = false;
    this.#parts.onChange();
  }

  /** Runs one approved call. Never rejects. Never sends a call twice: the first may have had its effect. */
  async call(plan: McpPlan, context: ToolContext): Promise<ToolOutput> {
    const { signal } = context;
    const server = `The MCP server ${this.config.name}`;
    let connection: McpConnection;
    try {
      connection = await this.connect();
    } catch (error) {
      return failure(`${server} is not available, so nothing was done: ${reasonOf(error)}`);
    }
    if (signal.aborted) return failure('The call was stopped before it was sent.');
    try {
      const { text, isError } = await this.use((open) =>
        open.callTool(plan.tool, plan.arguments, { signal, onProgress: (said) => context.progress(said) }),
      );
      return { content: text, isError };
    } catch (error) {
      if (signal.aborted) return failure('The call was stopped. It may have taken effect.');
      if (connection.isOpen) return failure(reasonOf(error));
      return failure(`${server} did not finish the call: ${asSentence(reasonOf(error))} It may have taken effect.`);
    }
  }

  async rootsChanged(): Promise<void> {
    if (this.#connection?.isOpen) await this.#connection.rootsChanged();
  }

  /** Ends the server. The next use starts it without a wait. Resolves when no process of it runs. */
  async reset(): Promise<void> {
    await this.dispose();
    this.#stopping = new AbortController();
    this.#connecting = undefined;
    this.#connection = undefined;
    this.#failures = 0;
    this.#nextAttemptMs = 0;
    if (this.#state.kind !== 'needs_consent') this.#setState({ kind: 'idle' });
  }

  /** Ends the server for good. Resolves when no process of it runs. */
  async dispose(): Promise<void> {
    this.#stopping.abort();
    try {
      await (await this.#connecting)?.close();
    } catch {
      // The server never connected. Callers that wait for it get the error.
    }
  }

  async #ask(): Promise<boolean> {
    try {
      const answer = await askForConsent(this.config, this.#parts);
      this.#isAllowed = answer === 'allow';
      this.#setState(this.#isAllowed ? { kind: 'idle' } : { kind: 'needs_consent', isRefused: answer === 'never' });
    } catch (error) {
      this.#refuse(error);
    }
    return this.#isAllowed ?? false;
  }

  #refuse(error: unknown): void {
    this.#isAllowed = false;
    this.#fail(reasonOf(error));
  }

  async #open(signal: AbortSignal): Promise<McpConnection> {
    try {
      const connection = await McpConnection.open(this.config, {
        ...this.#parts,
        signal,
        onLog: this.#log,
        onToolsChanged: () => {
          // A server can say so without end.
          if (this.#hasNewTools) return;
          this.#hasNewTools = true;
          this.#parts.onChange();
        },
        onLost: (lastWords) => this.#fail(lastWords === '' ? 'It ended.' : `It ended. It wrote: ${lastWords}`),
      });
      this.#connection = connection;
      this.#failures = 0;
      this.#setState({ kind: 'connected' });
      return connection;
    } catch (error) {
      if (!signal.aborted) {
        this.#connecting = undefined;
        this.#nextAttemptMs = this.#parts.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
        this.#failures += 1;
        this.#fail(messageOf(error));
      }
      throw error;
    }
  }

  #fail(reason: string): void {
    this.#setState({ kind: 'failed', reason: shorten(reason, MAX_REASON) });
  }

  #setState(state: McpServerState): void {
    this.#state = state;
    this.#parts.onChange();
  }
}

/** Splits output into lines, and cuts lines that are too long. */
function byLine(onLine: (line: string) => void): (text: string) => void {
  const maxCharacters = 1_000;
  let rest = '';
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > maxCharacters) {
      lines.push(rest);
      rest = '';
    }
    for (const line of lines) if (line.trim() !== '') onLine(shorten(line, maxCharacters));
  };
}

function failure(content: string): ToolOutput {
  return { content, isError: true };
}

function reasonOf(error: unknown): string {
  return shorten(messageOf(error), MAX_REASON);
}
