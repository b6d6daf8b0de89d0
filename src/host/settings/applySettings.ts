import type { SessionRegistry } from '../../agent/sessionRegistry';
import { DisposableStore, type Disposable } from '../../util/disposable';
import type { ModelSelection } from '../server/modelSelection';
import type { ServerConnection } from '../server/serverConnection';
import { onSettingsChange, readSettings } from './settings';

export interface ApplySettingsParts {
  readonly server: ServerConnection;
  readonly selection: ModelSelection;
  readonly registry: Pick<SessionRegistry, 'reconfigure'>;
  readonly log: { readonly warn: (message: string) => void; readonly error: (error: unknown) => void };
}

/**
 * Has changed settings, and another server or model, count without a reload: an answer that is being written goes on, the
 * next prompt uses what holds then. Says in the log which settings cannot be used.
 */
export function applySettings({ server, selection, registry, log }: ApplySettingsParts): Disposable {
  const owned = new DisposableStore();
  let known = targetOf(server);
  const report = (): void => {
    for (const { message } of readSettings().problems) log.warn(`Setting openAgent.${message}`);
  };
  report();
  owned.add(
    onSettingsChange((affects) => {
      report();
      registry.reconfigure();
      // At once, also where both changed: until the look has ended nothing is sent, and least of all to the old server.
      if (affects('baseUrl') || affects('certificateAuthority')) void server.refresh();
      if (affects('model')) selection.forget().then(() => server.refresh({ quiet: true }), log.error);
    }),
  );
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

function targetOf({ target: { baseUrl, model } }: ServerConnection): string | undefined {
  return baseUrl === '' || model === '' ? undefined : JSON.stringify([baseUrl, model]);
}
