import type { KeyStore } from '../keys';
import { probeServer, type FoundServer, type ServerProbe } from './serverProbe';

export interface DiscoveryOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Ports of this machine, the preferred ones first. */
  readonly ports?: readonly number[] | undefined;
  /** A server gets only the key that was entered for its own origin. Absent: no server gets a key. */
  readonly keys?: Pick<KeyStore, 'get'> | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * The default ports: llama.cpp, llamafile and MLX; LM Studio; Ollama; vLLM; KoboldCpp; Jan; text-generation-webui;
 * SGLang; GPT4All.
 */
export const usualPorts: readonly number[] = [8080, 1234, 11434, 8000, 5001, 1337, 5000, 30000, 4891];

/**
 * Looks for running servers on this machine only. Lists model servers in the order of their ports, then servers that want a
 * key or are loading. Tries both loopback addresses.
 */
export async function discoverServers(options: DiscoveryOptions): Promise<readonly ServerProbe[]> {
  const { fetch, signal, ports = usualPorts, keys, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const probe = async (baseUrl: string): Promise<ServerProbe> =>
    probeServer(baseUrl, { apiKey: await keys?.get(baseUrl), fetch, signal, timeoutMs });
  const probes = await Promise.all(
    ports.map(async (port) => {
      const found = await probe(`http://localhost:${port}/v1`);
      if (found.ok || found.error.code !== 'connection') return found;
      // Some systems resolve `localhost` to 127.0.0.1 only.
      return probe(`http://[::1]:${port}/v1`);
    }),
  );
  return [...probes.filter((probe) => probe.ok), ...probes.filter(isNearlyThere)];
}

/**
 * The server of this machine to use: the first that offers the wanted model, else the first that answers, else one that is
 * loading or wants a key. `wantedAt` gives the model wanted of a server; empty: any. Rejects only when `signal` is aborted.
 */
export async function discoverServer(
  wantedAt: (baseUrl: string) => string,
  { preferred, ...options }: DiscoveryOptions & { readonly preferred?: string | undefined },
): Promise<ServerProbe | undefined> {
  const probes = await discoverServers(options);
  options.signal.throwIfAborted();
  const servers = probes.filter((probe) => probe.ok);
  const offers = ({ baseUrl, models }: FoundServer): boolean => {
    const wanted = wantedAt(baseUrl);
    return wanted === '' ? models.length > 0 : models.some(({ id }) => id === wanted);
  };
  return servers.find(({ baseUrl }) => baseUrl === preferred) ?? servers.find(offers) ?? probes[0];
}

/** A closed port answers at once. This is for a program that listens and says nothing. */
const DEFAULT_TIMEOUT_MS = 1_500;

function isNearlyThere(probe: ServerProbe): boolean {
  if (probe.ok) return false;
  // Other programs answer 403, for example AirPlay on port 5000 of every Mac.
  return probe.error.code === 'model_loading' || (probe.error.code === 'unauthorized' && probe.error.status === 401);
}
