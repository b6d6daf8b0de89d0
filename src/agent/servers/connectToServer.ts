import * as l10n from '../../util/l10n';
import { AgentError, type AgentErrorInfo } from '../../sdk/errors';
import { normalizeBaseUrl } from '../../sdk/model/http/baseUrl';
import type { KeyStore } from './keys';
import { chooseModel } from './model/chooseModel';
import { discoverServer, usualPorts } from './probe/discovery';
import { probeServer, type FoundServer, type ServerProbe } from './probe/serverProbe';

/** The server and the model that a person sets; empty: look for one. */
export interface ServerSettings {
  readonly baseUrl: string;
  readonly model: string;
}

/** Where requests go and to which model. */
export interface Connection {
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** How many requests the server handles at once. Absent: not known. */
  readonly slots?: number | undefined;
  /** Absent: the settings name server and model, so the server was not probed. */
  readonly server?: FoundServer | undefined;
}

export type ConnectOutcome =
  { readonly ok: true; readonly connection: Connection } | { readonly ok: false; readonly error: AgentErrorInfo };

export interface ConnectOptions {
  readonly keys: Pick<KeyStore, 'get'>;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly ports?: readonly number[] | undefined;
}

/**
 * Finds the server and the model for `settings`. Uses both as they are set, without a request. Otherwise probes the server
 * that is set, or looks for one on this machine. Rejects only when `signal` is aborted.
 */
export async function connectToServer(settings: ServerSettings, options: ConnectOptions): Promise<ConnectOutcome> {
  if (settings.baseUrl !== '' && settings.model !== '') return connectAsSet(settings);
  const probe = await lookAtServer(settings, options);
  if (!probe.ok) return { ok: false, error: probe.error };
  const choice = chooseModel(probe, settings.model);
  if (!choice.ok) return choice;
  const { baseUrl, slots } = probe;
  return { ok: true, connection: { baseUrl, model: choice.model, slots, server: probe } };
}

/** Probes the server that is set, or looks for one on this machine. Rejects only when `signal` is aborted. */
export async function lookAtServer({ baseUrl, model }: ServerSettings, options: ConnectOptions): Promise<ServerProbe> {
  const { keys, fetch, signal, ports = usualPorts } = options;
  if (baseUrl !== '') return probeServer(baseUrl, { apiKey: await keys.get(baseUrl), fetch, signal });
  const found = await discoverServer(() => model, { ...options, ports });
  return found ?? { ok: false, baseUrl, error: { code: 'no_server', message: nothingFound() } };
}

function connectAsSet({ baseUrl, model }: ServerSettings): ConnectOutcome {
  try {
    return { ok: true, connection: { baseUrl: normalizeBaseUrl(baseUrl), model } };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { ok: false, error: error.toInfo() };
  }
}

function nothingFound(): string {
  return l10n.t('No model server answers on the usual ports of this machine. Start one, or set the address of yours.');
}
