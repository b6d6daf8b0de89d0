import assert from 'node:assert/strict';
import { FileClaims } from '../../../src/agent/session/fileClaims';
import { SessionRegistry, type SessionRegistryParts } from '../../../src/agent/session/sessionRegistry';
import { Client } from '../../../src/sdk/client';
import type { AgentOptions } from '../../../src/sdk/configuration/agentOptions';
import { ScriptedApprover } from './sessions';

/** A registry with its own claims, like another process. Its sessions cannot run unless `createClient` is given. */
export function createRegistry(directory: string, parts: Partial<SessionRegistryParts> = {}): SessionRegistry {
  return new SessionRegistry({
    directory,
    claims: new FileClaims(),
    workspace: null,
    approver: new ScriptedApprover(),
    createClient: () => assert.fail('nothing may run'),
    onInternalError: (error) => assert.fail(String(error)),
    ...parts,
  });
}

/** Makes the clients of sessions with these options. They run their tools. */
export function clientsOf(options: Partial<AgentOptions>): SessionRegistryParts['createClient'] {
  return async ({ history }) => ({
    client: new Client({
      systemPrompt: 's',
      model: 'm',
      baseUrl: 'http://localhost:1',
      autoExecuteTools: true,
      history,
      ...options,
    }),
  });
}
