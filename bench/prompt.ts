import path from 'node:path';
import { projectRoot } from '../scripts/projectRoot';
import { McpServers, type McpServerSummary } from '../src/mcp/mcpServers';
import type { McpServerConfig } from '../src/mcp/serverConfig';
import { endTree } from '../src/workspace/node/processes/endTree';
import { fixedPart } from './support/fixedPart';
import { countPromptTokens } from './support/promptTokens';
import { maxPromptTokens, storedPromptTokens } from './support/storedPromptTokens';

function unused(): never {
  throw new Error('Nothing is run here.');
}

/** The most by which stored counts may be off, as a share. */
const MAX_STORED_ERROR = 0.01;

/**
 * Measures the fixed part of every request, before the first word of the person: with the chat templates of a real
 * llama-server, or else by what one counted before.
 */
export async function run(print: (line: string) => void): Promise<boolean> {
  const { body, sizes, characters } = fixedPart();
  for (const [name, size] of sizes) print(`  ${name}: ${size} characters`);
  print(`The fixed part: ${characters} characters of JSON.`);
  const stored = storedPromptTokens(characters);
  const counted = await countPromptTokens(body);
  const isCounted = typeof counted !== 'string';
  if (!isCounted) print(`Not counted now. ${counted} By the stored counts:`);
  const counts = isCounted ? counted : stored;
  for (const [name, tokens] of counts) {
    print(`  ${name.padEnd(12)} ${tokens} tokens (limit ${maxPromptTokens(name)})`);
  }
  const isOff = [...counts].some(
    ([name, tokens]) => Math.abs((stored.get(name) ?? 0) - tokens) > tokens * MAX_STORED_ERROR,
  );
  if (isOff) print('The stored counts are old: write these into bench/support/storedPromptTokens.ts.');
  for (const { name, cost } of await mcpCosts()) {
    if (cost) print(`  with the MCP server ${name}: ${cost.tools} tools, about ${cost.tokens} tokens more`);
  }
  return !isOff && [...counts].every(([name, tokens]) => tokens <= maxPromptTokens(name));
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
