import { problemText } from '../../agent/configuration/agentSettings';
import type { AgentConfiguration } from '../../agent/configuration/chooseAgent';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import { DisposableStore, type Disposable } from '../../util/disposable';
import type { ModelSelection } from '../../agent/servers/access/modelSelection';
import type { ServerConnection } from '../../agent/servers/access/serverConnection';
import type { AgentSelection } from './agentSelection';
import { onSettingsChange, readSettings } from './settings';

export interface ApplySettingsParts {
  readonly server: ServerConnection;
  readonly selection: ModelSelection;
  readonly agents: AgentSelection;
  readonly registry: Pick<SessionRegistry, 'reconfigure'>;
  readonly log: { readonly warn: (message: string) => void; readonly error: (error: unknown) => void };
}

/**
 * Has changed settings, and another profile, agent, server or model, count without a reload: an answer that is being
 * written goes on, the next prompt uses what holds then. Another mode counts at once and ends no epoch. Says in the log
 * which settings cannot be used.
 */
export function applySettings({ server, selection, agents, registry, log }: ApplySettingsParts): Disposable {
  const owned = new DisposableStore();
  let known = targetOf(server);
  const report = (): void => {
    for (const problem of readSettings().problems) log.warn(problemText(problem));
    for (const problem of agents.current.problems) log.warn(problem);
  };
  let configuration = agents.current.configuration;
  const apply = (mayBeElsewhere: boolean): void => {
    const before = configuration;
    configuration = agents.current.configuration;
    if (mayBeElsewhere || !isSameRequest(before, configuration)) registry.reconfigure();
    // At once, also where both changed: until the look has ended nothing is sent, and least of all to the old server.
    if (before.baseUrl !== configuration.baseUrl) void server.refresh();
    if (before.model !== configuration.model) {
      selection.forget().then(() => server.refresh({ quiet: true }), log.error);
    }
  };
  report();
  owned.add(
    onSettingsChange((affects) => {
      report();
      // The mode and the rules decide about the next call as they are.
      apply(!affects('permissionMode') && !affects('rules') && !affects('workspaceRules'));
      if (affects('certificateAuthority')) void server.refresh();
      else server.reconsider();
    }),
  );
  owned.add(agents.onChange(() => apply(false)));
  owned.add(
    server.onChange(() => {
      const target = targetOf(server);
      // Nothing is known while a server is looked for; that changes nothing for the sessions.
      if (target === undefined || target === known) return;
      if (known !== undefined) registry.reconfigure();
      known = target;
    }),
  );
  return owned;
}

function isSameRequest(before: AgentConfiguration, after: AgentConfiguration): boolean {
  const text = (configuration: AgentConfiguration) => JSON.stringify({ ...configuration, permissionMode: undefined });
  return text(before) === text(after);
}

function targetOf({ target: { baseUrl, model } }: ServerConnection): string | undefined {
  return baseUrl === '' || model === '' ? undefined : JSON.stringify([baseUrl, model]);
}
