import { createHash } from 'node:crypto';

/** What gateways are told of a session: the same for all its requests, and nothing else can be learned from it. */
export function gatewaySession(sessionId: string): string {
  return createHash('sha256').update(`open-agent session ${sessionId}`).digest('hex').slice(0, 32);
}
