import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { doneFrame, finishFrame, roleFrame, textFrame, toolCallFrames } from '../scripts/practiceModel/sse';
import { projectRoot } from '../scripts/projectRoot';
import { createTemporaryFolder } from '../test/support/files/temporaryFolder';

const RUNS = 25;
const MAX_VERSION_RATIO = 1.3;
const MAX_FIRST_REQUEST_MS = 200;
const MAX_COMMAND_RATIO = 2;
/** Beyond Node with an empty program. */
const MAX_SDK_MS = 30;

/** The prompt that the model answers with a command that runs without a question. */
const runsCommand = 'Run pwd';

const program = path.join(projectRoot, 'dist/cli/cli.js');
const sdk = path.join(projectRoot, 'dist/sdk');
/** The entries of the SDK's package. */
const sdkEntries = ['index', 'agents', 'mcp', 'workspace'];

/**
 * How long the command line takes to start: `--version` against Node with an empty program, and a prompt until the model is
 * asked. Also a prompt with one command against one without, each until the process has ended, and `import` and `require` of
 * each entry of the SDK. The smallest of many alternating runs counts.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const build = ['esbuild.js', '--production', '--only', 'cli,sdk'];
  await promisify(execFile)(process.execPath, build, { cwd: projectRoot });
  await using folder = await createTemporaryFolder({
    'empty.js': '',
    'sdk/package.json': '{ "type": "module" }',
    'sdk/cjs/package.json': '{ "type": "commonjs" }',
    ...Object.fromEntries(
      sdkEntries.flatMap((name) => [
        [`${name}.mjs`, `import './sdk/esm/${name}.js';`],
        [`${name}.cjs`, `require('./sdk/cjs/${name}.js');`],
      ]),
    ),
    'workspace/readme.md': '# Example\n',
  });
  for (const format of ['esm', 'cjs']) {
    await cp(path.join(sdk, format), path.join(folder.path, 'sdk', format), { recursive: true });
  }
  await using model = await startModel();
  const home = path.join(folder.path, 'home');
  const start = async (args: readonly string[]): Promise<number> => {
    const startMs = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: path.join(folder.path, 'workspace'),
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}.`);
    return performance.now() - startMs;
  };
  const prompt = async (): Promise<number> => {
    const startMs = performance.now();
    await start([program, '-p', 'Hello', '--base-url', model.baseUrl]);
    return model.askedMs() - startMs;
  };
  const node: number[] = [];
  const version: number[] = [];
  const asked: number[] = [];
  const answered: number[] = [];
  const withCommand: number[] = [];
  const loaded = new Map(
    sdkEntries.flatMap((name) => [`${name}.mjs`, `${name}.cjs`]).map((name) => [name, [] as number[]]),
  );
  // The first start fills the code cache.
  const firstMs = await prompt();
  for (let index = 0; index < RUNS; index++) {
    node.push(await start([path.join(folder.path, 'empty.js')]));
    version.push(await start([program, '--version']));
    for (const [file, times] of loaded) times.push(await start([path.join(folder.path, file)]));
    asked.push(await prompt());
    answered.push(await start([program, '-p', 'Hello', '--base-url', model.baseUrl]));
    withCommand.push(await start([program, '-p', runsCommand, '--base-url', model.baseUrl]));
  }
  const [nodeMs, versionMs, askedMs, answeredMs, commandMs] = [node, version, asked, answered, withCommand].map(
    (times) => Math.min(...times),
  ) as [number, number, number, number, number];
  const ratio = versionMs / nodeMs;
  print(`the smallest of ${RUNS} runs:`);
  print(`  Node alone                ${nodeMs.toFixed(0)} ms`);
  print(
    `  --version                 ${versionMs.toFixed(0)} ms, ${ratio.toFixed(2)} times (at most ${MAX_VERSION_RATIO})`,
  );
  print(
    `  until the model is asked  ${askedMs.toFixed(0)} ms (at most ${MAX_FIRST_REQUEST_MS}), ${firstMs.toFixed(0)} ms at the very first start`,
  );
  const commandRatio = commandMs / answeredMs;
  print(`  a prompt, to the end      ${answeredMs.toFixed(0)} ms`);
  print(
    `  with one command          ${commandMs.toFixed(0)} ms, ${commandRatio.toFixed(2)} times (at most ${MAX_COMMAND_RATIO})`,
  );
  const loadMs = [...loaded].map(([name, times]) => [name, Math.min(...times) - nodeMs] as const);
  for (const [name, ms] of loadMs) {
    const way = name.endsWith('.mjs') ? 'import' : 'require';
    print(
      `  ${way} of ${path.parse(name).name.padEnd(13 + 4 - way.length)} ${ms.toFixed(0)} ms more than Node alone (at most ${MAX_SDK_MS})`,
    );
  }
  return (
    ratio <= MAX_VERSION_RATIO &&
    askedMs <= MAX_FIRST_REQUEST_MS &&
    commandRatio <= MAX_COMMAND_RATIO &&
    loadMs.every(([, ms]) => ms <= MAX_SDK_MS)
  );
}

/** A server with one model, in this process. */
async function startModel() {
  let askedMs = 0;
  const head = { id: 'chatcmpl-1', model: 'bench', created: 1_700_000_000 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'bench', object: 'model' }] }));
    } else if (request.url === '/v1/chat/completions') {
      askedMs = performance.now();
      response.setHeader('content-type', 'text/event-stream');
      const { messages } = JSON.parse(body) as { readonly messages: readonly { role: string; content: unknown }[] };
      const last = messages.at(-1);
      const call = { id: 'call_1', name: 'run_terminal_command', arguments: { command: 'pwd' } };
      const frames =
        last?.role === 'user' && JSON.stringify(last.content).includes(runsCommand)
          ? [...toolCallFrames(head, 0, call), finishFrame(head, 'tool_calls')]
          : [textFrame(head, 'Hello.'), finishFrame(head, 'stop')];
      response.end([roleFrame(head), ...frames, doneFrame].join(''));
    } else {
      response.statusCode = 404;
      response.end();
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    askedMs: () => askedMs,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
