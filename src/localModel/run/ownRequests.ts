import type { AgentErrorInfo } from '../../sdk/errors';
import { messageOf } from '../../util/errors';
import * as l10n from '../../util/l10n';
import type { LocalServerStatus } from './keeperMessages';

export interface OwnRequestsParts {
  readonly status: () => LocalServerStatus;
  /** Has the server started. Resolves when it is ready, or is not any more. Rejects when `signal` is aborted. */
  readonly start: (signal: AbortSignal) => Promise<LocalServerStatus>;
}

/**
 * The requests of one process to the model server of this machine. Each start gives the server a new key. A request with any of its
 * keys is meant for it.
 */
export class OwnRequests {
  readonly #parts: OwnRequestsParts;
  readonly #keys = new Set<string>();
  /** The runs that have sent a request. */
  readonly #runs = new WeakMap<AbortSignal, { hasRestarted: boolean }>();

  constructor(parts: OwnRequestsParts) {
    this.#parts = parts;
  }

  /** To be called with each status. */
  note(status: LocalServerStatus): void {
    if (status.kind === 'ready' || status.kind === 'loading') this.#keys.add(status.key);
  }

  readonly isReady = (): boolean => this.#parts.status().kind === 'ready';

  readonly isFor = (apiKey: string | undefined): boolean => apiKey !== undefined && this.#keys.has(apiKey);

  readonly keyAt = (origin: string): string | undefined => {
    const now = this.#now;
    return now?.origin === origin ? now.key : undefined;
  };

  readonly through = (direct: typeof fetch): typeof fetch => {
    return async (input, init) => {
      const given = input instanceof Request ? input : undefined;
      const headers = new Headers(init?.headers ?? given?.headers);
      if (!this.isFor(/^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1])) return direct(input, init);
      const now = this.#now;
      // Another program may listen at its address by now.
      if (!now) throw Object.assign(new Error('The model on this machine does not run.'), { code: 'ECONNREFUSED' });
      headers.set('authorization', `Bearer ${now.key}`);
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const target = `${now.origin}${pathname}${search}`;
      return direct(given ? new Request(target, given) : target, { ...init, headers });
    };
  };

  /** See `OwnServerAccess`. */
  readonly start = async (run: AbortSignal): Promise<AgentErrorInfo | undefined> => {
    const status = this.#parts.status();
    const earlier = this.#runs.get(run);
    if (!earlier) this.#runs.set(run, { hasRestarted: false });
    if (status.kind === 'ready') return undefined;
    if (earlier && status.kind === 'stopped' && status.reason === 'asked') return notReady(status);
    if (earlier && status.kind === 'failed') {
      if (earlier.hasRestarted) return notReady(status);
      earlier.hasRestarted = true;
    }
    try {
      const now = await this.#parts.start(run);
      return now.kind === 'ready' ? undefined : notReady(now);
    } catch (error) {
      if (run.aborted)
        return { code: 'interrupted', message: l10n.t('The request was stopped while the model was starting.') };
      return { code: 'server_error', message: messageOf(error) };
    }
  };

  get #now(): { readonly origin: string; readonly key: string } | undefined {
    const status = this.#parts.status();
    if (status.kind !== 'ready' && status.kind !== 'loading') return undefined;
    return { origin: new URL(status.baseUrl).origin, key: status.key };
  }
}

/** Without a status of HTTP, so that the request is not repeated. */
function notReady(status: LocalServerStatus): AgentErrorInfo {
  return { code: 'server_error', message: statusText(status) };
}

/** Why the model on this machine cannot answer now, and the way out, for people. */
export function statusText(status: LocalServerStatus): string {
  switch (status.kind) {
    case 'failed':
      return `${status.message}\n${status.lastWords}`.trim();
    case 'stopped':
      return status.reason === 'unused'
        ? l10n.t('The model on this machine was not used for a while, so it was stopped. Your next message starts it.')
        : l10n.t('The model on this machine was stopped. Your next message starts it.');
    case 'idle':
      return l10n.t('The model on this machine does not run. Your next message starts it.');
    case 'starting':
    case 'loading':
    case 'ready':
      return l10n.t('The model on this machine is starting.');
    default:
      return status satisfies never;
  }
}
