import { pathToFileURL } from 'node:url';
import { version } from '../../../package.json';
import type { ConsentAnswer, ConsentQuestion } from '../../mcp/consent';
import { McpServers, type McpOffer } from '../../mcp/mcpServers';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { endTree } from '../../workspace/node/processes/endTree';
import type { AgentContext } from './createAgentContext';
import { createPinFile } from './pinFile';
import { isYes } from '../terminal/isYes';
import type { Terminal } from '../terminal/terminal';

export interface CliMcp {
  readonly servers: McpServers;
  /** Returns the tools and prompts of the running servers. Asks at the terminal about a new or changed server. */
  readonly offer: () => Promise<McpOffer>;
  readonly dispose: () => Promise<void>;
}

/**
 * The MCP servers of the settings file. Each starts when it is first needed. Without a terminal, servers that were not
 * allowed before are not used.
 */
export function openMcpServers(
  { settings, cli, data, folder, modelAccess, drafts, log, onInternalError }: AgentContext,
  terminal: Terminal | undefined,
): CliMcp {
  const { homeDirectory, signal } = cli;
  const servers = new McpServers({
    version,
    homeDirectory,
    fetch: modelAccess.fetch,
    endTree,
    roots: () => [pathToFileURL(folder).href],
    pins: createPinFile(data.pinFile, drafts),
    confirm: (question) => confirm(question, { terminal, log, signal }),
    // The error of a server that fails includes its output.
    onLog: () => {},
    now: Date.now,
    isTrusted: () => true,
    onInternalError,
  });
  void servers.configure(settings.mcp ?? []);
  // Ends servers that are still starting, so that the process can end at once.
  signal.addEventListener('abort', () => void servers.dispose(), { once: true });
  const said = new Set<string>();
  return {
    servers,
    offer: async () => {
      const offer = await servers.offer();
      for (const problem of offer.problems) {
        if (!said.has(problem)) log(`Warning: ${visibleText(problem, 'code')}\n`);
        said.add(problem);
      }
      return offer;
    },
    dispose: () => servers.dispose(),
  };
}

interface ConfirmParts {
  readonly terminal: Terminal | undefined;
  readonly log: (text: string) => void;
  readonly signal: AbortSignal;
}

async function confirm(question: ConsentQuestion, { terminal, log, signal }: ConfirmParts): Promise<ConsentAnswer> {
  log(`\n${describeQuestion(question)}\n`);
  if (!terminal) {
    log('Not used: nobody can be asked. Run open-agent in a terminal once to allow this server.\n');
    return 'not_now';
  }
  const answer = (await terminal.ask('Allow this server from now on? [y]es, [n]o, ne[v]er: ', { signal }))
    ?.trim()
    .toLowerCase();
  if (isYes(answer)) return 'allow';
  return ['v', 'never'].includes(answer ?? '') ? 'never' : 'not_now';
}

function describeQuestion({ server, kind, before, after }: ConsentQuestion): string {
  const isProcess = kind === 'stdio';
  const does = isProcess ? 'runs on this machine, with all your rights:' : 'is at:';
  const shown = before === undefined || before === after ? after : unifiedDiff(`${before}\n`, `${after}\n`).text;
  const changed = before === undefined ? '' : ' has changed since you allowed it. It';
  const same = before === after ? '\n(Only values of variables or headers have changed.)' : '';
  return `The MCP server ${visibleText(server, 'path')}${changed} ${does}\n${visibleText(shown, 'code')}${same}`;
}
