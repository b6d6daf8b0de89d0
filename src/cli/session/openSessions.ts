import { pathToFileURL } from 'node:url';
import { createFindCheck } from '../../agent/runSummary/findCheck';
import { FileClaims } from '../../agent/session/fileClaims';
import { SessionRegistry, type SessionRegistryParts } from '../../agent/session/sessionRegistry';
import type { AgentContext } from '../agent/createAgentContext';
import type { OpenAgent } from '../agent/openAgent';
import type { SessionPlaces } from './beginSession';

/** The sessions of the command line in its folder. The caller disposes the registry. */
export function openSessions(
  { data, folder, log, onInternalError }: AgentContext,
  agent: Pick<OpenAgent, 'configuration' | 'access'>,
  parts: Pick<SessionRegistryParts, 'createClient' | 'approver' | 'projectRules'>,
): SessionPlaces {
  const workspace = pathToFileURL(folder).href;
  const registry = new SessionRegistry({
    ...parts,
    directory: data.sessions,
    claims: new FileClaims(),
    workspace,
    permissionMode: () => agent.configuration.permissionMode,
    findCheck: createFindCheck({ ...agent.access.ports, roots: agent.access.roots }),
    onInternalError,
    onLink: (filePath) => log(`A session is not listed because its file is a link: ${filePath}\n`),
  });
  return { registry, directory: data.sessions, workspace };
}
