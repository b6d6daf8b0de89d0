import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../messages';

/** Whether a client's history is that of a session. Results do not count: those that are still to come are on file as unknown. */
export function isSameHistory(history: readonly Message[], ofSession: readonly Message[]): boolean {
  return lengthOf(history) === lengthOf(ofSession);
}

/** Whether a saved run ends where the session does. Calls that wait have no result in the run, and are closed in a history. */
export function isSameConversation(saved: readonly Message[], history: readonly Message[]): boolean {
  const results = saved.slice(saved.findLastIndex(({ role }) => role === 'assistant') + 1);
  const known = results.flatMap((message) => (message.role === 'tool' ? [message.content.toolUseId] : []));
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const ofSession = history.filter(
    (message, index) => index <= last || message.role !== 'tool' || known.includes(message.content.toolUseId),
  );
  return isDeepStrictEqual(plain(saved), plain(ofSession));
}

/** As it is saved: without fields that are not set. */
function plain(messages: readonly Message[]): unknown {
  return JSON.parse(JSON.stringify(messages));
}

function lengthOf(history: readonly Message[]): number {
  return history.filter(({ role }) => role !== 'tool').length;
}
