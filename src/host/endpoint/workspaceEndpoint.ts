import type { AgentRuns } from '../../endpoint/runs/agentRuns';
import type { ParsedOwnerSettings } from '../../endpoint/runs/ownerSettings';
import { portProblem } from '../../endpoint/http/port';
import { startEndpoint, type Endpoint } from '../../endpoint/http/server';
import { Emitter } from '../../util/emitter';
import type { EndpointToken } from './endpointToken';
import { TurnQueue } from '../../util/turnQueue';

export interface WorkspaceEndpointParts {
  readonly runs: AgentRuns;
  readonly token: EndpointToken;
  readonly settings: () => ParsedOwnerSettings;
  readonly isTrusted: () => boolean;
  /** The paths of the opened folders. */
  readonly folders: () => readonly string[];
  readonly log: (line: string) => void;
  readonly onInternalError: (error: unknown) => void;
}

export type Started =
  | { readonly ok: true; readonly baseUrl: string }
  /** `port`: it could not be listened at; another one may do. */
  | { readonly ok: false; readonly problem: string; readonly port?: number | undefined };

interface Serving {
  readonly endpoint: Endpoint;
  readonly folders: readonly string[];
}

/** Serves the workspace's agent when the person says so, and only as long as it is trusted and its folders are open. */
export class WorkspaceEndpoint {
  readonly #parts: WorkspaceEndpointParts;
  readonly #changes: Emitter<void>;
  #token = '';
  #serving: Serving | undefined;
  /** Starting and stopping take turns. */
  readonly #turns = new TurnQueue();
  #isDisposed = false;

  constructor(parts: WorkspaceEndpointParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that `baseUrl` is another one, or none. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** `undefined` while nothing is served. */
  get baseUrl(): string | undefined {
    return this.#serving?.endpoint.baseUrl;
  }

  /** Starts serving, at `port` or the one that is set; while it serves, that is the answer. Rejects when the token cannot be kept. */
  start(port?: number): Promise<Started> {
    return this.#turns.run(() => this.#start(port));
  }

  /** Ends every run of it and listens no more. Harmless when nothing is served. */
  stop(): Promise<void> {
    return this.#turns.run(() => this.#stop());
  }

  /** The token that counts now. Rejects when it cannot be read. */
  token(): Promise<string> {
    return this.#serving ? Promise.resolve(this.#token) : this.#parts.token.get();
  }

  /** Has another token count from now on, for what is served already as well. */
  async replaceToken(): Promise<void> {
    this.#token = await this.#parts.token.replace();
  }

  /** Stops where it may serve no more. True: it did. */
  async recheck(): Promise<boolean> {
    const before = this.#serving;
    if (!before || this.#mayServe(before.folders)) return false;
    await this.stop();
    return true;
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
    this.#changes.dispose();
  }

  async #start(givenPort: number | undefined): Promise<Started> {
    const { isTrusted, settings, token, log } = this.#parts;
    if (this.#serving) return { ok: true, baseUrl: this.#serving.endpoint.baseUrl };
    const folders = this.#parts.folders();
    if (!isTrusted()) return { ok: false, problem: 'The agent of a workspace that is not trusted is not served.' };
    if (folders.length === 0)
      return { ok: false, problem: 'Open a folder first: the agent is served for what is open.' };
    const parsed = settings();
    if (!parsed.ok) return { ok: false, problem: parsed.problem };
    this.#token = await token.get();
    const { limits } = parsed.settings;
    const port = givenPort ?? parsed.settings.port;
    let endpoint: Endpoint;
    try {
      endpoint = await startEndpoint({ runs: this.#parts.runs, token: () => this.#token, port, limits, log });
    } catch (error) {
      return { ok: false, problem: portProblem(port, error), port };
    }
    this.#serving = { endpoint, folders };
    // Meanwhile the window may be closing, or the folder gone.
    if (this.#isDisposed || !this.#mayServe(folders)) {
      await this.#stop();
      return { ok: false, problem: 'The workspace was closed.' };
    }
    log(`serving at ${endpoint.baseUrl}`);
    this.#changes.emit();
    return { ok: true, baseUrl: endpoint.baseUrl };
  }

  async #stop(): Promise<void> {
    const serving = this.#serving;
    if (!serving) return;
    this.#serving = undefined;
    this.#changes.emit();
    await serving.endpoint.stop();
    this.#parts.log(`stopped serving at ${serving.endpoint.baseUrl}`);
  }

  #mayServe(folders: readonly string[]): boolean {
    const open = new Set(this.#parts.folders());
    return this.#parts.isTrusted() && folders.every((folder) => open.has(folder));
  }
}
