import type { ConnectionState } from '../../view/server/connectionState';
import type { ServerModel } from '../probe/serverIdentity';
import type { FoundServer } from '../probe/serverProbe';

/**
 * A server that Open Agent runs on this machine. `stopped`: a request for an answer starts it. `model`: what it serves once it
 * is started.
 */
export type OwnServer =
  | { readonly kind: 'running'; readonly baseUrl: string }
  | {
      readonly kind: 'starting' | 'stopped' | 'failed';
      readonly message: string;
      readonly model?: RestingModel | undefined;
    };

/** `contextWindow` in tokens. */
export type RestingModel = Required<Pick<ServerModel, 'id' | 'contextWindow'>>;

/** Each resolves with `undefined` when no such server was set up. */
export interface OwnServers {
  /** Starts nothing. */
  readonly find: () => Promise<OwnServer | undefined>;
  /** Resolves when it is ready or cannot be. `unlessStopped`: a server that was stopped stays stopped. */
  readonly start: (options: {
    readonly unlessStopped: boolean;
    readonly signal: AbortSignal;
  }) => Promise<OwnServer | undefined>;
}

/** How a server looks that does not run: it has no address. */
export function restingServer({ id, contextWindow }: RestingModel): FoundServer {
  const models = [{ id, contextWindow, contextSource: 'loaded' }] as const;
  return { ok: true, baseUrl: '', kind: 'llama.cpp', name: 'llama.cpp', models };
}

/** The state of the connection while the server does not run. */
export function notRunning({
  kind,
  message,
  model,
}: Exclude<OwnServer, { readonly kind: 'running' }>): ConnectionState {
  const state = { kind: 'failed', baseUrl: '', message, isUnauthorized: false } as const;
  if (kind === 'failed') return state;
  return {
    ...state,
    ...(kind === 'stopped' ? { isResting: true } : { isLoading: true }),
    ...(model && { model: model.id }),
  };
}
