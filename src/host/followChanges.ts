import * as vscode from 'vscode';
import { problemText } from '../agent/configuration/agentSettings';
import type { AgentConfiguration } from '../agent/configuration/chooseAgent';
import type { ModelSelection } from '../agent/servers/access/modelSelection';
import type { ServerConnection } from '../agent/servers/access/serverConnection';
import type { SessionRegistry } from '../agent/session/sessionRegistry';
import { DisposableStore, type Disposable } from '../util/disposable';
import { followTarget } from './followTarget';
import type { LocalModels } from './languageModels/localModels';
import type { Panels } from './panel/panels';
import type { AgentSelection } from './settings/agentSelection';
import { onSettingsChange, readSettings } from './settings/settings';

export interface FollowChangesParts {
  readonly server: ServerConnection;
  readonly selection: ModelSelection;
  readonly agents: AgentSelection;
  readonly registry: Pick<SessionRegistry, 'reconfigure'>;
  readonly panels: Pick<Panels, 'stateChanged'>;
  /** The models that other extensions are offered. */
  readonly offered: Pick<LocalModels, 'reconsider'>;
  readonly log: { readonly warn: (message: string) => void; readonly error: (error: unknown) => void };
}

/**
 * Applies changes without a reload: of settings, folders, trust, profile, agent, server and model. A running answer goes
 * on; the next prompt uses the new values. A new mode applies at once and ends no epoch. Logs settings that cannot be used.
 */
export function followChanges(parts: FollowChangesParts): Disposable {
  const { server, selection, agents, registry, panels, offered, log } = parts;
  const { workspace } = vscode;
  const owned = new DisposableStore();
  const report = (): void => {
    for (const problem of readSettings().problems) log.warn(problemText(problem));
    for (const problem of agents.current.problems) log.warn(problem);
  };
  let configuration = agents.current.configuration;
  const apply = (mayBeElsewhere: boolean): void => {
    const before = configuration;
    configuration = agents.current.configuration;
    if (mayBeElsewhere || !isSameRequest(before, configuration)) registry.reconfigure();
    // At once, even if the model changed too: nothing is sent to the old server while the new one is looked up.
    if (before.baseUrl !== configuration.baseUrl) void server.refresh();
    if (before.model !== configuration.model) {
      selection.forget().then(() => server.refresh({ quiet: true }), log.error);
    }
  };
  report();
  owned.add(
    onSettingsChange((affects) => {
      report();
      // Mode and rules are read for each call.
      apply(!affects('permissionMode') && !affects('rules') && !affects('workspaceRules'));
      if (affects('certificateAuthority') || affects('useLaptop')) void server.refresh();
      else server.reconsider();
    }),
  );
  owned.add(agents.onChange(() => apply(false)));
  owned.add(followTarget(server, registry));
  owned.add(server.onChange(() => offered.reconsider()));
  owned.add(
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('openAgent')) return;
      panels.stateChanged();
      offered.reconsider();
    }),
  );
  owned.add(workspace.onDidGrantWorkspaceTrust(() => panels.stateChanged()));
  owned.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      registry.reconfigure();
      panels.stateChanged();
    }),
  );
  return owned;
}

function isSameRequest(before: AgentConfiguration, after: AgentConfiguration): boolean {
  const text = (configuration: AgentConfiguration) => JSON.stringify({ ...configuration, permissionMode: undefined });
  return text(before) === text(after);
}
