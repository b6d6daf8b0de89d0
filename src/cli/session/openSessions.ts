import { pathToFileURL } from 'node:url';
import { FileClaims } from '../../agent/session/fileClaims';
import { SessionRegistry, type SessionRegistryParts } from '../../agent/session/sessionRegistry';
import type { AgentContext } from '../agent/createAgentContext';
import type { OpenAgent } from '../agent/openAgent';
import type { SessionPlaces } from './beginSession';

/** The sessions of the command line in its folder. The caller disposes the registry. */
export function openSessions(
  { data, folder, onInternalError }: AgentContext,
  agent: Pick<OpenAgent, 'configuration'>,
  parts: Pick<SessionRegistryParts, 'createClient' | 'approver' | 'projectRules'>,
): SessionPlaces {
  const workspace = pathToFileURL(folder).href;
  const registry = new SessionRegistry({
    ...parts,
    directory: data.sessions,
    claims: new FileClaims(),
    workspace,
    permissionMode: () => agent.configuration.permissionMode,
    onInternalError,
  });
  return { registry, directory: data.sessions, workspace };
}
