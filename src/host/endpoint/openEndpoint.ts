import * as vscode from 'vscode';
import type { ServedSessions } from '../../agent/session/servedSessions';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import { createSessionRuns } from '../../endpoint/runs/sessionRuns';
import type { OutputLog } from '../outputLog';
import type { Attention } from '../attention/attention';
import type { Panels } from '../panel/panels';
import { readEndpointSettings } from '../settings/endpointSettings';
import { workspaceRoots } from '../workspace/workspaceRoots';
import { EndpointToken } from './endpointToken';
import { EndpointWindow, type EndpointAction } from './endpointWindow';
import { WorkspaceEndpoint } from './workspaceEndpoint';

export interface OpenEndpointParts {
  readonly secrets: vscode.SecretStorage;
  /** URI of the open workspace; empty: none. */
  readonly workspace: string;
  readonly registry: SessionRegistry;
  readonly served: ServedSessions;
  readonly panels: Panels;
  readonly attention: Pick<Attention, 'showServing'>;
  readonly log: OutputLog;
}

export type { EndpointAction };

/** The endpoint of this window and its commands. */
export interface WindowEndpoint extends Pick<EndpointWindow, 'start' | 'stop' | 'chooseAction' | 'replaceToken'> {
  /** The actions on the endpoint for a menu. `undefined`: nothing is served. */
  readonly actions: readonly EndpointAction[] | undefined;
  /** Stops serving. Resolves when all runs have ended. */
  readonly dispose: () => Promise<void>;
}

/** Composes the endpoint with the sessions and the window. Serves nothing yet. */
export function openEndpoint({
  secrets,
  workspace,
  registry,
  served,
  panels,
  attention,
  log,
}: OpenEndpointParts): WindowEndpoint {
  const onInternalError = log.error;
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const endpoint = new WorkspaceEndpoint({
    runs: createSessionRuns({
      registry,
      served,
      isTrusted,
      isOnScreen: (sessionId) => panels.isActive(sessionId),
      onInternalError,
      onUnsaved: onInternalError,
    }),
    token: new EndpointToken({ secrets, workspace }),
    settings: readEndpointSettings,
    isTrusted,
    folders: () => workspaceRoots().map(({ path }) => path),
    log: (line) => log.info(`Endpoint: ${line}`),
    onInternalError,
  });
  const window = new EndpointWindow({
    endpoint,
    served,
    showServing: (baseUrl) => attention.showServing(baseUrl),
    showSession: (sessionId) => panels.showSession(sessionId),
    showLog: () => log.show(),
    onInternalError,
  });
  return {
    get actions() {
      return window.actions;
    },
    start: () => window.start(),
    stop: () => window.stop(),
    chooseAction: () => window.chooseAction(),
    replaceToken: () => window.replaceToken(),
    async dispose() {
      await endpoint.dispose();
      window.dispose();
    },
  };
}
