import path from 'node:path';
import { projectRoot } from '../scripts/projectRoot';
import { systemPrompt } from '../src/agent/prompts/system';
import { McpServers, type McpServerSummary } from '../src/mcp/mcpServers';
import type { McpServerConfig } from '../src/mcp/serverConfig';
import { toWireTools } from '../src/sdk/model/wire/wireRequest';
import type { JsonObject } from '../src/util/json';
import { createNodePorts } from '../src/workspace/node/createNodePorts';
import { endTree } from '../src/workspace/node/processes/endTree';
import { createTools } from '../src/workspace/tools/createTools';
import { countPromptTokens } from './support/promptTokens';

/** Tokens of the fixed part with all tools, as the server renders it. */
const MAX_TOKENS = 1_150;
const MAX_QWEN3_TOKENS = 950;
/** For machines without a llama-server: measured for JSON like this with Qwen2's vocabulary. */
const CHARACTERS_PER_TOKEN = 4.1;

function unused(): never {
  throw new Error('Nothing is run here.');
}

/** Measures the fixed part of every request, before the first word of the person. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const root = { name: 'project', path: '/home/user/project' };
  // As in VS Code with a language server, which has more tools.
  const asked = { findSymbols: unused, symbolsOf: unused, related: unused, hover: unused, rename: unused };
  const codeNavigation = { isReady: unused, load: unused, ...asked };
  const diagnostics = { read: unused, load: unused, watch: unused, known: () => new Map() };
  const ports = { ...createNodePorts(), diagnostics, codeNavigation };
  const tools = toWireTools(createTools({ ports, roots: () => [root] }));
  const system = { role: 'system', content: systemPrompt({ roots: [root], shellName: 'bash', platform: 'linux' }) };
  const parts = [['system prompt', system] as const, ...tools.map((tool) => [tool.function.name, tool] as const)];
  let characters = 0;
  for (const [name, part] of parts) {
    const { length } = JSON.stringify(part);
    characters += length;
    print(`  ${name}: ${length} characters`);
  }
  const estimate = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  print(`The fixed part: ${characters} characters of JSON, about ${estimate} tokens.`);
  const body = { messages: [system, { role: 'user', content: 'Hi' }], tools } as unknown as JsonObject;
  const counts = await countPromptTokens(body);
  if (typeof counts === 'string') print(`Not counted with chat templates. ${counts}`);
  const rows = typeof counts === 'string' ? [] : [...counts];
  const limitOf = (name: string): number => (name === 'Qwen3' ? MAX_QWEN3_TOKENS : MAX_TOKENS);
  for (const [name, tokens] of rows) print(`  ${name.padEnd(12)} ${tokens} tokens (limit ${limitOf(name)})`);
  for (const { name, cost } of await mcpCosts()) {
    if (cost) print(`  with the MCP server ${name}: ${cost.tools} tools, about ${cost.tokens} tokens more`);
  }
  return estimate <= MAX_QWEN3_TOKENS && rows.every(([name, tokens]) => tokens <= limitOf(name));
}

/** The additional cost of two well-known MCP servers. */
async function mcpCosts(): Promise<readonly Pick<McpServerSummary, 'name' | 'cost'>[]> {
  const servers = new McpServers({
    version: '0.0.0',
    homeDirectory: projectRoot,
    fetch: unused,
    endTree,
    roots: () => [],
    pins: { get: async () => undefined, set: async () => {} },
    confirm: async () => 'allow',
    onLog: () => {},
    now: Date.now,
    isTrusted: () => true,
    onInternalError: (error) => {
      throw error;
    },
  });
  const script = (name: string): string =>
    path.join(projectRoot, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
  const server = (name: string, ...args: readonly string[]): McpServerConfig => ({
    kind: 'stdio',
    name,
    command: process.execPath,
    args: [script(name), ...args],
    env: {},
  });
  try {
    await servers.configure([server('server-everything'), server('server-filesystem', projectRoot)]);
    await servers.offer();
    return servers.summaries;
  } finally {
    await servers.dispose();
  }
}
