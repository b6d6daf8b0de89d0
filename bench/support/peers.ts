import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, streamText, type ToolSet } from 'ai';
import { version as aiVersion } from 'ai/package.json';
import { messageOf } from '../../src/util/errors';
import { projectRoot } from '../../scripts/projectRoot';
import type { Tool } from '../../src/sdk/tool';

/** Reads a whole reply and returns the part that a program would keep. */
export type Contestant = (baseUrl: string, reply: string) => Promise<unknown>;

/** A contestant that reads with another library, or the reason why it cannot run. */
export type Peer =
  { readonly name: string; readonly contestant: Contestant } | { readonly name: string; readonly unavailable: string };

const folder = path.join(projectRoot, 'bench', '.peers');

/** Installs the other libraries for the comparison into a separate folder. They are not part of the project. */
export async function installPeers(): Promise<void> {
  await promisify(execFile)('npm', ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
}

/** The peers, with a reason for each one that is not installed or does not run. */
export async function loadPeers(tool: Tool): Promise<readonly Peer[]> {
  return [
    { name: `AI SDK ${aiVersion}`, contestant: aiSdk(tool) },
    await peer('pi', '@mariozechner/pi-ai', () => pi(tool)),
  ];
}

async function peer(name: string, packageName: string, make: () => Promise<Contestant>): Promise<Peer> {
  const manifest = path.join(folder, 'node_modules', packageName, 'package.json');
  if (!existsSync(manifest)) return { name, unavailable: 'not installed: add --peers' };
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  try {
    return { name: `${name} ${version}`, contestant: await make() };
  } catch (error) {
    return { name: `${name} ${version}`, unavailable: `does not run on Node ${process.version}: ${messageOf(error)}` };
  }
}

async function load(packageName: string): Promise<unknown> {
  const { load: loadFrom } = (await import(pathToFileURL(path.join(folder, 'load.mjs')).href)) as {
    readonly load: (name: string) => Promise<unknown>;
  };
  return loadFrom(packageName);
}

/** The used part of the package's types. */
interface PiPackage {
  readonly stream: (model: object, context: object, options: object) => AsyncIterable<unknown>;
}

function aiSdk({ name, description, inputSchema }: Tool): Contestant {
  const tools: ToolSet = { [name]: { description, inputSchema: jsonSchema(inputSchema) } };
  return async (baseUrl, reply) => {
    const model = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, includeUsage: true })(reply);
    const result = streamText({ model, tools, prompt: 'Go.', onError: ({ error }) => fail(error) });
    let last: unknown;
    for await (const part of result.fullStream) last = part;
    return [last, await result.text];
  };
}

async function pi({ name, description, inputSchema }: Tool): Promise<Contestant> {
  const { stream } = (await load('@mariozechner/pi-ai')) as PiPackage;
  const messages = [{ role: 'user', content: 'Go.', timestamp: 0 }];
  const context = { messages, tools: [{ name, description, parameters: inputSchema }] };
  return async (baseUrl, reply) => {
    const model = {
      id: reply,
      name: reply,
      api: 'openai-completions',
      provider: 'bench',
      baseUrl,
      reasoning: false,
      input: ['text'],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 1_000_000,
      maxTokens: 100_000,
    };
    let last: unknown;
    for await (const event of stream(model, context, { apiKey: 'none' })) last = event;
    const { type } = last as { readonly type: string };
    if (type !== 'done') fail(last);
    return last;
  };
}

/** Fails for a reply that was not read to its end, so it cannot count as fast. */
function fail(error: unknown): never {
  throw new Error(`The reply was not read: ${error instanceof Error ? error.message : JSON.stringify(error)}`);
}
