import { pathToFileURL } from 'node:url';
import { version } from '../../package.json';
import { McpServers } from '../mcp/mcpServers';
import type { McpTool } from '../mcp/mcpTool';
import type { PinQuestion } from '../mcp/pin';
import type { McpServerConfig } from '../mcp/serverConfig';
import { visibleText } from '../util/visibleText';
import { unifiedDiff } from '../workspace/edits/unifiedDiff';
import { endTree } from '../workspace/node/endTree';
import { createPinFile } from './pinFile';
import type { Terminal } from './terminal';

export interface CliMcp {
  /** The tools of the servers that are there; asks at the terminal about a server that is new or has changed. */
  readonly tools: () => Promise<readonly McpTool[]>;
  readonly dispose: () => Promise<void>;
}

export interface CliMcpParts {
  readonly servers: readonly McpServerConfig[];
  /** Absent: nobody is there, and a server nobody has allowed yet is not used. */
  readonly terminal: Terminal | undefined;
  readonly log: (text: string) => void;
  readonly fetch: typeof fetch;
  readonly homeDirectory: string;
  readonly folder: string;
  /** The file that keeps which servers were allowed. */
  readonly pinFile: string;
  readonly signal: AbortSignal;
}

/** The servers of the settings file; started when their tools are first asked for. */
export function openMcp(parts: CliMcpParts): CliMcp {
  const { servers, log, fetch, homeDirectory, folder, pinFile, signal } = parts;
  const made = new McpServers({
    servers,
    version,
    homeDirectory,
    fetch,
    endTree,
    roots: () => [pathToFileURL(folder).href],
    pins: createPinFile(pinFile),
    confirm: (question) => confirm(question, parts),
    onProblem: (message) => log(`Warning: ${visibleText(message, 'code')}\n`),
    now: Date.now,
  });
  // Whoever ends the process does not wait for a server that is still starting.
  signal.addEventListener('abort', () => void made.dispose(), { once: true });
  return { tools: () => made.tools(), dispose: () => made.dispose() };
}

async function confirm(question: PinQuestion, { terminal, log, signal }: CliMcpParts): Promise<boolean> {
  log(`\n${describeQuestion(question)}\n`);
  if (!terminal) {
    log('Not allowed: there is no terminal to ask at. Start open-agent in a terminal once to allow it.\n');
    return false;
  }
  const answer = await terminal.ask('Allow it from now on? [y]es, [n]o: ', { signal });
  return ['y', 'yes'].includes(answer?.trim().toLowerCase() ?? '');
}

function describeQuestion({ server, kind, before, after }: PinQuestion): string {
  const isProcess = kind === 'stdio';
  const does = isProcess ? 'runs on this machine, with all your rights:' : 'is spoken to at:';
  const shown = before === undefined || before === after ? after : unifiedDiff(`${before}\n`, `${after}\n`).text;
  const changed = before === undefined ? '' : ' has changed since you allowed it. It';
  const same = before === after ? '\n(Only values of variables or headers are different.)' : '';
  return `The MCP server ${visibleText(server, 'path')}${changed} ${does}\n${visibleText(shown, 'code')}${same}`;
}
