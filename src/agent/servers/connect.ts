import type { AgentErrorInfo } from '../../sdk/errors';
import { AgentError } from '../../sdk/errors';
import { normalizeBaseUrl } from '../../sdk/model/http/endpointUrl';
import type { AgentSettings } from '../configuration/agentSettings';
import { discoverServers, usualPorts } from './probe/discovery';
import type { KeyStore } from './keys';
import { chooseModel } from './model/modelChoice';
import { probeServer, type FoundServer, type ServerProbe } from './probe/serverProbe';

/** Where requests go and to which model. */
export interface Connection {
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Requests the server works on at once, when that is known. */
  readonly slots?: number | undefined;
  /** What was found there; absent for a server that was taken as it is set. */
  readonly server?: FoundServer | undefined;
}

export type ConnectOutcome =
  { readonly ok: true; readonly connection: Connection } | { readonly ok: false; readonly error: AgentErrorInfo };

export interface ConnectOptions {
  readonly keys: KeyStore;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly ports?: readonly number[] | undefined;
}

/**
 * Turns settings into a server and a model. What is set is taken as it is, without asking the server; what is not is
 * looked for: a server on this machine, its first model. Rejects only when `signal` is aborted.
 */
export async function connectToServer(
  settings: Pick<AgentSettings, 'baseUrl' | 'model'>,
  options: ConnectOptions,
): Promise<ConnectOutcome> {
  if (settings.baseUrl === '') return connectToRunning(settings.model, options);
  if (settings.model !== '') return connectAsSet(settings);
  const { keys, fetch, signal } = options;
  const apiKey = await keys.get(settings.baseUrl);
  const probe = await probeServer(settings.baseUrl, { apiKey, fetch, signal });
  return probe.ok ? connectTo(probe, '') : { ok: false, error: probe.error };
}

/** Looks at the server of the settings, or at one that runs on this machine. Rejects only when `signal` is aborted. */
export async function lookAtServer(baseUrl: string, options: ConnectOptions): Promise<ServerProbe> {
  const { keys, fetch, signal, ports = usualPorts } = options;
  if (baseUrl !== '') return probeServer(baseUrl, { apiKey: await keys.get(baseUrl), fetch, signal });
  const probes = await discoverServers({ fetch, signal, ports, keyFor: (url) => keys.get(url) });
  const found = probes.find((probe) => probe.ok && offers(probe, '')) ?? probes[0];
  return found ?? { ok: false, baseUrl, error: { code: 'connection', message: nothingFound(ports) } };
}

function connectAsSet({ baseUrl, model }: Pick<AgentSettings, 'baseUrl' | 'model'>): ConnectOutcome {
  try {
    return { ok: true, connection: { baseUrl: normalizeBaseUrl(baseUrl), model } };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { ok: false, error: error.toInfo() };
  }
}

async function connectToRunning(model: string, options: ConnectOptions): Promise<ConnectOutcome> {
  const { keys, fetch, signal, ports = usualPorts } = options;
  const probes = await discoverServers({ fetch, signal, ports, keyFor: (baseUrl) => keys.get(baseUrl) });
  const servers = probes.filter((probe) => probe.ok);
  const server = servers.find((candidate) => offers(candidate, model)) ?? servers[0];
  if (server) return connectTo(server, model);
  const nearest = probes.find((probe) => !probe.ok);
  if (nearest) return { ok: false, error: nearest.error };
  return { ok: false, error: { code: 'connection', message: nothingFound(ports) } };
}

/** A set model is looked for by name; without one, a server needs any. */
function offers(server: FoundServer, model: string): boolean {
  return model === '' ? server.models.length > 0 : server.models.some(({ id }) => id === model);
}

function connectTo(server: FoundServer, wanted: string): ConnectOutcome {
  const choice = chooseModel(server, wanted);
  if (!choice.ok) return choice;
  return { ok: true, connection: { baseUrl: server.baseUrl, model: choice.model, slots: server.slots, server } };
}

function nothingFound(ports: readonly number[]): string {
  return (
    `No model server is running on this machine (tried localhost, ports ${ports.join(', ')}). ` +
    'Start llama.cpp, Ollama, LM Studio or vLLM, or set the base URL of your server.'
  );
}
