// `npm run test:live` tests the SDK on the real model servers of this machine, or a named one, and on a llama-server and a
// llama-cpp-python of its own. See the usage below.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { discoverServers } from '../src/agent/servers/probe/discovery';
import { probeServer, type ServerProbe } from '../src/agent/servers/probe/serverProbe';
import { resolveConfiguration, type Configuration } from '../src/sdk/configuration/configuration';
import { createFetch } from '../src/sdk/model/http/httpTransport';
import { LlamaCppPython } from '../test/live/engines/llamaCppPython';
import { LlamaServer } from '../test/live/engines/llamaServer';
import { findLlamaCppPython, installLlamaCppPython } from '../test/live/install/installLlamaCppPython';
import { findLlamaServer, installLlamaServer } from '../test/live/install/installLlamaServer';
import { findTrainedModel, installTrainedModel } from '../test/live/install/installModels';
import { runLive } from '../test/live/runLive';
import { runCommand } from './process';
import { projectRoot } from './projectRoot';
import { addCounts, describeCounts, noCounts, type Counts } from './test/counts';
import { readReport } from './test/report';

const usage = `Usage: npm run test:live -- [--base-url URL] [--model ID] [--install] [--all-templates | --templates NAMES]
Without a URL (or OPEN_AGENT_BASE_URL), the usual ports of this machine. OPEN_AGENT_API_KEY is sent to the named server.
--install sets up llama-server, llama-cpp-python, models and LiteLLM in .test-servers, 650 MB to load. Without it, what is there is used.
--all-templates tries every chat template of llama.cpp, and writes the table in docs/servers.md; --templates those with these names, with commas.`;

async function find({ baseUrl, key }: Configuration): Promise<readonly ServerProbe[]> {
  const fetch = createFetch();
  const { signal } = new AbortController();
  if (baseUrl === '') return discoverServers({ fetch, signal });
  return [await probeServer(baseUrl, { fetch, signal, apiKey: key?.value })];
}

interface Choice {
  readonly configuration: Configuration;
  readonly installs: boolean;
  /** `all`, or names with commas; empty: the common ones. */
  readonly templates: string;
}

function configure(): Choice {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      model: { type: 'string' },
      install: { type: 'boolean', default: false },
      'all-templates': { type: 'boolean', default: false },
      templates: { type: 'string', default: '' },
    },
  });
  const flags = { baseUrl: values['base-url'], model: values.model };
  return {
    configuration: resolveConfiguration({ flags, env: process.env }),
    installs: values.install,
    templates: values['all-templates'] ? 'all' : values.templates,
  };
}

/** A llama-server with a small trained model, if it can be had. */
async function startOwnServer(installs: boolean): Promise<LlamaServer | undefined> {
  const say = (text: string): void => console.log(text);
  const program = installs ? await installLlamaServer(say) : await findLlamaServer();
  const model = installs ? await installTrainedModel(say) : findTrainedModel();
  if (program.ok && model.ok) return LlamaServer.start(program, { model: model.file, contextWindow: 8_192 });
  console.log(
    `Skipped: a llama-server of the tests. ${program.ok ? (model as { reason: string }).reason : program.reason}`,
  );
  return undefined;
}

/** A server of llama-cpp-python with the same model, if it can be had. */
async function startOwnPython(installs: boolean): Promise<LlamaCppPython | undefined> {
  const program = installs ? await installLlamaCppPython((text) => console.log(text)) : await findLlamaCppPython();
  const model = findTrainedModel();
  if (program.ok && model.ok) return LlamaCppPython.start(program, { model: model.file, contextWindow: 8_192 });
  const { reason } = (program.ok ? model : program) as { readonly reason: string };
  console.log(`Skipped: a server of llama-cpp-python. ${reason}`);
  return undefined;
}

/** Runs the tests in `test/live`. A run that broke off counts as a failed test. */
async function runOwnTests({ installs, templates }: Choice): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'open-agent-live-'));
  const report = path.join(folder, 'report.json');
  const env = {
    ...process.env,
    OPEN_AGENT_LIVE_INSTALL: installs ? '1' : '0',
    OPEN_AGENT_LIVE_TEMPLATES: templates,
    OPEN_AGENT_TEST_REPORT: report,
  };
  const mocha = path.join(projectRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const args = [mocha, 'test/live/**/*.test.ts'];
  const isGood = await runCommand(process.execPath, args, { cwd: projectRoot, env, show: true }).then(
    () => true,
    () => false,
  );
  const counts = readReport(report)?.counts ?? noCounts;
  await rm(folder, { recursive: true, force: true });
  return isGood || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

async function main(choice: Choice): Promise<void> {
  const { configuration } = choice;
  const { model, key, warning } = configuration;
  if (warning !== undefined) console.log(warning);
  const servers = await find(configuration);
  const [named] = servers;
  if (configuration.baseUrl !== '' && named && !named.ok) {
    console.error(named.error.message);
    process.exitCode = 1;
    return;
  }
  await using own = configuration.baseUrl === '' ? await startOwnServer(choice.installs) : undefined;
  await using python = configuration.baseUrl === '' ? await startOwnPython(choice.installs) : undefined;
  const started = [own, python].flatMap((server) => server?.baseUrl ?? []);
  const { signal } = new AbortController();
  const added = await Promise.all(started.map((url) => probeServer(url, { fetch: createFetch(), signal })));
  const checked = await runLive({
    servers: [...servers, ...added],
    model,
    // The key is for the named server only. Servers that were only found get no key.
    keyFor: () => (configuration.baseUrl === '' ? undefined : key?.value),
    print: (line) => console.log(line),
  });
  const all = configuration.baseUrl === '' ? addCounts(checked, await runOwnTests(choice)) : checked;
  // The last line, for machines that read it.
  if (configuration.baseUrl === '') console.log(describeCounts(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
}

let choice: Choice | undefined;
try {
  choice = configure();
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`);
  process.exitCode = 2;
}
if (choice) void main(choice);
