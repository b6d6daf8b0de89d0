import { probeServer, type ServerProbe } from './serverProbe';

export interface DiscoveryOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** Ports of this machine, the preferred ones first. */
  readonly ports?: readonly number[] | undefined;
  /** A key that was entered for exactly this server. Nothing else is ever sent to what happens to listen on a port. */
  readonly keyFor?: ((baseUrl: string) => Promise<string | undefined>) | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Where such servers listen unless told otherwise: llama.cpp, llamafile and MLX; LM Studio; Ollama; vLLM; KoboldCpp; Jan;
 * text-generation-webui; SGLang; GPT4All.
 */
export const usualPorts: readonly number[] = [8080, 1234, 11434, 8000, 5001, 1337, 5000, 30000, 4891];

/**
 * Looks for running servers on this machine, never elsewhere. The list has those that answered as a model server does,
 * in the order of the ports; after them those that want a key or are still loading. Both loopback addresses are tried.
 */
export async function discoverServers(options: DiscoveryOptions): Promise<readonly ServerProbe[]> {
  const { fetch, signal, ports = usualPorts, keyFor, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const probe = async (baseUrl: string): Promise<ServerProbe> =>
    probeServer(baseUrl, { apiKey: await keyFor?.(baseUrl), fetch, signal, timeoutMs });
  const probes = await Promise.all(
    ports.map(async (port) => {
      const found = await probe(`http://localhost:${port}/v1`);
      if (found.ok || found.error.code !== 'connection') return found;
      // Some systems know `localhost` as 127.0.0.1 only.
      return probe(`http://[::1]:${port}/v1`);
    }),
  );
  return [...probes.filter((probe) => probe.ok), ...probes.filter(isNearlyThere)];
}

/** A closed port answers at once; this is for one where something else listens and says nothing. */
const DEFAULT_TIMEOUT_MS = 1_500;

function isNearlyThere(probe: ServerProbe): boolean {
  if (probe.ok) return false;
  // Something else that listens there and lets nobody in says 403: AirPlay on port 5000 of every Mac, for one.
  return probe.error.code === 'model_loading' || (probe.error.code === 'unauthorized' && probe.error.status === 401);
}
