import type { AgentRuns } from '../../endpoint/runs/agentRuns';
import type { ParsedOwnerSettings } from '../../endpoint/ownerSettings';
import { portProblem } from '../../endpoint/http/port';
import { startEndpoint, type Endpoint } from '../../endpoint/startEndpoint';
import { Emitter } from '../../util/emitter';
import type { EndpointToken } from './endpointToken';
import { TurnQueue } from '../../util/async/turnQueue';
import * as l10n from '../../util/l10n';

export interface WorkspaceEndpointParts {
  readonly runs: AgentRuns;
  readonly token: EndpointToken;
  readonly settings: () => ParsedOwnerSettings;
  readonly isTrusted: () => boolean;
  /** Absolute paths of the open folders. */
  readonly folders: () => readonly string[];
  readonly log: (line: string) => void;
  readonly onInternalError: (error: unknown) => void;
}

export type Started =
  | { readonly ok: true; readonly baseUrl: string }
  /** `port`: the port that could not be opened; another one may work. */
  | { readonly ok: false; readonly problem: string; readonly port?: number | undefined };

interface Serving {
  readonly endpoint: Endpoint;
  readonly folders: readonly string[];
}

/** Serves the workspace's agent on the person's command, while the workspace is trusted and its folders are open. */
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

  /** Tells when `baseUrl` changes. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** `undefined` while nothing is served. */
  get baseUrl(): string | undefined {
    return this.#serving?.endpoint.baseUrl;
  }

  /**
   * Serves at `port`, by default the one of the settings. Keeps serving where it already does. Rejects when the token
   * cannot be stored.
   */
  start(port?: number): Promise<Started> {
    return this.#turns.run(() => this.#start(port));
  }

  /** Ends all runs and closes the port. Harmless when nothing is served. */
  stop(): Promise<void> {
    return this.#turns.run(() => this.#stop());
  }

  /** The current token. Rejects when it cannot be read. */
  token(): Promise<string> {
    return this.#serving ? Promise.resolve(this.#token) : this.#parts.token.get();
  }

  /** Replaces the token, for running servers too. */
  async replaceToken(): Promise<void> {
    this.#token = await this.#parts.token.replace();
  }

  /** Stops when the endpoint may no longer serve. Resolves with true when it stopped. */
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
    if (!isTrusted())
      return { ok: false, problem: l10n.t('Trust the workspace first: in an untrusted one the agent is not served.') };
    if (folders.length === 0)
      return { ok: false, problem: l10n.t('Open a folder first: the agent is served for the open folders.') };
    const parsed = settings();
    if (!parsed.ok) return { ok: false, problem: parsed.problem };
    this.#token = await token.get();
    const { limits, allowedOrigins } = parsed.settings;
    const port = givenPort ?? parsed.settings.port;
    let endpoint: Endpoint;
    try {
      endpoint = await startEndpoint({
        runs: this.#parts.runs,
        token: () => this.#token,
        port,
        allowedOrigins,
        limits,
        log,
      });
    } catch (error) {
      return { ok: false, problem: portProblem(port, error), port };
    }
    this.#serving = { endpoint, folders };
    // The window may have closed meanwhile, or a folder.
    if (this.#isDisposed || !this.#mayServe(folders)) {
      await this.#stop();
      return { ok: false, problem: l10n.t('The workspace was closed.') };
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
