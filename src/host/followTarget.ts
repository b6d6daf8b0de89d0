import type { ServerConnection } from '../agent/servers/access/serverConnection';
import type { SessionRegistry } from '../agent/session/sessionRegistry';
import type { Disposable } from '../util/disposable';

/** Has the sessions use another server or model from the next prompt on. */
export function followTarget(
  server: Pick<ServerConnection, 'target' | 'onChange'>,
  registry: Pick<SessionRegistry, 'reconfigure'>,
): Disposable {
  let known = targetOf(server);
  return server.onChange(() => {
    const target = targetOf(server);
    // While a server is looked for, the target is unknown: the sessions keep theirs.
    if (target === undefined || target === known) return;
    if (known !== undefined) registry.reconfigure();
    known = target;
  });
}

function targetOf({ target: { baseUrl, model } }: Pick<ServerConnection, 'target'>): string | undefined {
  return baseUrl === '' || model === '' ? undefined : JSON.stringify([baseUrl, model]);
}
