import { resolveConfiguration, type AgentOptions } from '../src/sdk';

/**
 * The server and model the examples use: from `OPEN_AGENT_BASE_URL` (a URL, or `ollama`, `lmstudio`, `llamacpp`, `vllm`),
 * `OPEN_AGENT_MODEL` and `OPEN_AGENT_API_KEY`; a llama-server on this machine otherwise.
 */
export function serverOptions(): Pick<AgentOptions, 'baseUrl' | 'model' | 'apiKey'> {
  const { baseUrl, model, key } = resolveConfiguration({
    env: process.env,
    defaults: { baseUrl: 'llamacpp', model: 'default' },
  });
  return { baseUrl, model, apiKey: key?.value };
}

/** Ends an example that failed as a program should. */
export function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
