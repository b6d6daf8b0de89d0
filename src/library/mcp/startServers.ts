import { pathToFileURL } from 'node:url';
import { version } from '../../../package.json';
import { McpServers, type McpOffer } from '../../mcp/mcpServers';
import { parseMcpServers } from '../../mcp/serverConfig';
import { AgentError } from '../../sdk/errors';
import { endTree } from '../../workspace/node/processes/endTree';
import type { McpConnections, McpOptions, McpServerTable } from './mcpConnections';

/** See `connectMcpServers`, which loads this. */
export async function startServers(table: McpServerTable, options: McpOptions): Promise<McpConnections> {
  const { servers: configs, problems } = parseMcpServers(table);
  if (problems.length > 0) throw new AgentError({ code: 'invalid_options', message: problems.join(' ') });
  const { folders = [], onLog = () => {}, startTimeoutMs, callTimeoutMs } = options;
  const servers = new McpServers({
    version,
    homeDirectory: process.cwd(),
    fetch: options.fetch ?? fetch,
    endTree,
    roots: () => folders.map((folder) => pathToFileURL(folder).href),
    // The program names its servers itself.
    pins: { get: async () => undefined, set: async () => {} },
    confirm: async () => 'allow',
    isTrusted: () => true,
    onLog,
    now: Date.now,
    // Only a listener of changes could fail, and there is none.
    onInternalError: () => {},
    startTimeoutMs,
    callTimeoutMs,
  });
  await servers.configure(configs);
  const { errors = [], ...offer } = await offerOf(servers);
  if (offer.problems.length > 0 && !options.allowMissing) {
    await servers.dispose();
    const cause = errors.length > 1 ? new AggregateError(errors) : errors[0];
    throw new AgentError({ code: 'connection', message: offer.problems.join(' ') }, { cause });
  }
  const close = (): Promise<void> => servers.dispose();
  return { ...offer, close, [Symbol.asyncDispose]: close };
}

async function offerOf(servers: McpServers): Promise<McpOffer> {
  try {
    return await servers.offer();
  } catch (error) {
    await servers.dispose();
    throw error;
  }
}
