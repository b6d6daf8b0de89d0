import type { Message } from '../messages';

/** Messages that stay together: an assistant message with the results of its calls. */
export type MessageUnit = readonly Message[];

/** Splits a history into units. */
export function splitUnits(messages: readonly Message[]): MessageUnit[] {
  const units: Message[][] = [];
  for (const message of messages) {
    const unit = units.at(-1);
    if (message.role === 'tool' && unit?.[0]?.role === 'assistant') unit.push(message);
    else units.push([message]);
  }
  return units;
}

/** How many of the newest units fit into `maxTokens`. At least one. */
export function newestThatFit(
  units: readonly MessageUnit[],
  maxTokens: number,
  count: (messages: readonly Message[]) => number,
): number {
  let fitting = 0;
  let tokens = 0;
  for (const unit of units.toReversed()) {
    tokens += count(unit);
    if (fitting > 0 && tokens > maxTokens) break;
    fitting += 1;
  }
  return fitting;
}
