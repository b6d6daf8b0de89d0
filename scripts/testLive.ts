// `npm run test:live` tests the SDK against the real model servers of this machine, or a named one. See the usage below.
import { parseArgs } from 'node:util';
import { discoverServers } from '../src/agent/servers/probe/discovery';
import { probeServer, type ServerProbe } from '../src/agent/servers/probe/serverProbe';
import { resolveConfiguration, type Configuration } from '../src/sdk/configuration/configuration';
import { createFetch } from '../src/sdk/model/http/httpTransport';
import { runLive } from '../test/live/runLive';

const usage = `Usage: npm run test:live -- [--base-url URL] [--model ID]
Without a URL (or OPEN_AGENT_BASE_URL), the usual ports of this machine. OPEN_AGENT_API_KEY is sent to the named server.`;

async function find({ baseUrl, key }: Configuration): Promise<readonly ServerProbe[]> {
  const fetch = createFetch();
  const { signal } = new AbortController();
  if (baseUrl === '') return discoverServers({ fetch, signal });
  return [await probeServer(baseUrl, { fetch, signal, apiKey: key?.value })];
}

function configure(): Configuration {
  const { values } = parseArgs({ options: { 'base-url': { type: 'string' }, model: { type: 'string' } } });
  const flags = { baseUrl: values['base-url'], model: values.model };
  return resolveConfiguration({ flags, env: process.env });
}

async function main(configuration: Configuration): Promise<void> {
  const { model, key, warning } = configuration;
  if (warning !== undefined) console.log(warning);
  const servers = await find(configuration);
  const [named] = servers;
  if (configuration.baseUrl !== '' && named && !named.ok) {
    console.error(named.error.message);
    process.exitCode = 1;
    return;
  }
  const { failed } = await runLive({
    servers,
    model,
    // The key is for the named server only. Servers that were only found get no key.
    keyFor: () => (configuration.baseUrl === '' ? undefined : key?.value),
    print: (line) => console.log(line),
  });
  process.exitCode = failed === 0 ? 0 : 1;
}

let configuration: Configuration | undefined;
try {
  configuration = configure();
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
if (configuration) void main(configuration);
