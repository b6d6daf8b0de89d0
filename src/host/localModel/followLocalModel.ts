import type { ServerConnection } from '../../agent/servers/access/serverConnection';
import type { Disposable } from '../../util/disposable';
import type { WindowLocalModel } from './windowLocalModel';

/** Looks at the server of this machine as soon as it starts, loads, is ready or has gone. */
export function followLocalModel(
  local: Pick<WindowLocalModel, 'status' | 'onChange'>,
  server: Pick<ServerConnection, 'refresh'>,
): Disposable {
  let { kind } = local.status;
  return local.onChange(() => {
    const was = kind;
    kind = local.status.kind;
    if (kind !== was && kind !== 'idle') void server.refresh({ quiet: true });
  });
}
