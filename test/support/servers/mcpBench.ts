import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { McpServers, type McpServersParts } from '../../../src/mcp/mcpServers';
import type { McpTool } from '../../../src/mcp/mcpTool';
import type { Pin } from '../../../src/mcp/consent';
import type { McpServerConfig } from '../../../src/mcp/serverConfig';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import type { ToolContext, ToolOutput } from '../../../src/sdk/tool';
import { endTree } from '../../../src/workspace/node/processes/endTree';

/** The programs of two published servers. */
export const everything = path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const filesystem = path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** A server that is a script of Node. */
export function nodeServer(name: string, ...args: readonly string[]): McpServerConfig {
  return { kind: 'stdio', name, command: process.execPath, args, env: {} };
}

/** A small server: `answer` maps a method to the JavaScript that handles a request `m`. */
export function fakeServer(name: string, answer: string): McpServerConfig {
  const script = `
    const reply = (m, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result }) + '\\n');
    const hello = (m) => reply(m, { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } });
    const list = (m) => reply(m, { tools: [{ name: 'work', inputSchema: { type: 'object', required: ['x'] } }] });
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const m = JSON.parse(line);
      ${answer}
    });`;
  return nodeServer(name, '-e', script);
}

/** The text of a result. */
export function textOf({ content }: ToolOutput): string {
  assert.ok(typeof content === 'string');
  return content;
}

/** MCP servers with what they did. Every server is a separate process. */
export interface McpBench {
  /** Messages of missing servers. */
  readonly problems: readonly string[];
  readonly log: readonly string[];
  /** The ids of the ended processes. */
  readonly started: readonly number[];
  /** Configures servers that everybody allows. */
  connect(servers: readonly McpServerConfig[], parts?: Partial<McpServersParts>): McpServers;
  /** The tools; adds a problem to `problems` for each missing server. */
  toolsOf(servers: McpServers): Promise<readonly McpTool[]>;
  call(
    tools: readonly McpTool[],
    name: string,
    input: Parameters<McpTool['prepare']>[0],
    context?: Partial<ToolContext>,
  ): Promise<ToolOutput>;
  /** Starts the everything server as a separate process and waits until it listens. */
  startEverything(kind: 'streamableHttp' | 'sse'): Promise<string>;
}

/** Ends the servers after each test of the surrounding `describe`. */
export function useMcpServers(): McpBench {
  const open: McpServers[] = [];
  const processes: ChildProcess[] = [];
  const problems: string[] = [];
  const log: string[] = [];
  const started: number[] = [];

  beforeEach(() => {
    for (const list of [problems, log, started]) list.length = 0;
  });

  afterEach(async () => {
    for (const servers of open.splice(0)) await servers.dispose();
    for (const child of processes.splice(0)) await endTree(child);
  });

  function connect(servers: readonly McpServerConfig[], parts: Partial<McpServersParts> = {}): McpServers {
    const pins = new Map<string, Pin>();
    const made = new McpServers({
      version: '0.0.0',
      homeDirectory: projectRoot,
      fetch: createFetch(),
      endTree: (child) => {
        started.push(child.pid!);
        return endTree(child);
      },
      roots: () => [],
      pins: {
        get: async (server) => pins.get(server),
        set: async (server, pin) => void pins.set(server, pin),
      },
      confirm: async () => 'allow',
      onLog: (server, line) => log.push(`${server}: ${line}`),
      isTrusted: () => true,
      onInternalError: (error) => assert.fail(String(error)),
      now: () => 0,
      ...parts,
    });
    open.push(made);
    void made.configure(servers);
    return made;
  }

  async function toolsOf(servers: McpServers): Promise<readonly McpTool[]> {
    const offer = await servers.offer();
    problems.push(...offer.problems);
    return offer.tools;
  }

  async function call(
    tools: readonly McpTool[],
    name: string,
    input: Parameters<McpTool['prepare']>[0],
    context: Partial<ToolContext> = {},
  ): Promise<ToolOutput> {
    const tool = tools.find((one) => one.name === name);
    assert.ok(tool, `${name} is not among ${tools.map((one) => one.name).join(', ')}`);
    const full = { signal: new AbortController().signal, toolUseId: 't', progress: () => {}, ...context };
    const prepared = await tool.prepare(input, full);
    assert.ok(prepared.ok && 'plan' in prepared);
    return tool.run(prepared.plan, full);
  }

  async function startEverything(kind: 'streamableHttp' | 'sse'): Promise<string> {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const child = spawn(process.execPath, [everything, kind], {
      env: { ...process.env, PORT: String(port) },
      detached: true,
    });
    processes.push(child);
    await new Promise<void>((resolve, reject) => {
      let text = '';
      const hear = (part: Buffer): void => {
        text += part.toString();
        if (/listening|running on port/i.test(text)) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', () => reject(new Error(text)));
    });
    return `http://127.0.0.1:${port}`;
  }

  return { problems, log, started, connect, toolsOf, call, startEverything };
}
