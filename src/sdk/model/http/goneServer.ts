import type { AgentErrorInfo } from '../../errors';
import { hasMeaning } from '../errors/wordings';

/** The waits for a server that is gone, in milliseconds: a minute in all, at first in short steps. */
export const GONE_DELAYS_MS: readonly number[] = [
  ...[1_000, 1_000, 2_000, 2_000, 3_000, 3_000, 4_000, 4_000],
  ...Array.from({ length: 8 }, () => 5_000),
];

/** What gateways answer when the server behind them is gone. */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];

/** Whether the failure means that nothing answers at the address, or nothing behind a gateway there, or no longer. */
export function isServerGone({ code, status, during, message }: AgentErrorInfo): boolean {
  if (code === 'connection') return true;
  if (code === 'stream_broken') return during === 'answer';
  if (during === 'answer')
    return code === 'server_error' && hasMeaning('broken', message) && !hasMeaning('unreadable', message);
  return code === 'server_error' && status !== undefined && GATEWAY_STATUSES.includes(status);
}
