import { newSha256 } from '../../../util/sha256';
import type { ServerQuirks } from './serverQuirks';
import type { WireMessage } from './wireTypes';

/** Writes the calls of a history as the model's chat template demands. It only grows at its end, as the messages do. */
export function withCallLaws(
  wire: readonly WireMessage[],
  { callIds, callsTogether }: Pick<ServerQuirks, 'callIds' | 'callsTogether'>,
): readonly WireMessage[] {
  const split = callsTogether ? wire : wire.flatMap((message, index) => withOneCall(message, wire.slice(index + 1)));
  return callIds === 'nine' ? withNineCharacterIds(split) : split;
}

/** One message for each call, with its result after it. The results of several calls are left out at their own place. */
function withOneCall(message: WireMessage, after: readonly WireMessage[]): readonly WireMessage[] {
  if (message.role === 'tool') return [];
  if (message.role !== 'assistant' || message.tool_calls === undefined) return [message];
  return message.tool_calls.flatMap((call, position): readonly WireMessage[] => {
    const own: WireMessage =
      position === 0 ? { ...message, tool_calls: [call] } : { role: 'assistant', content: '', tool_calls: [call] };
    // Each call has a result, in the order of the calls.
    const result = after[position];
    return result?.role === 'tool' ? [own, result] : [own];
  });
}

function withNineCharacterIds(wire: readonly WireMessage[]): readonly WireMessage[] {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const nameOf = (id: string): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    let name = /^[a-z0-9]{9}$/i.test(id) ? id : hashOf(id);
    for (let turn = 1; used.has(name); turn += 1) name = hashOf(`${id} ${turn}`);
    names.set(id, name);
    used.add(name);
    return name;
  };
  return wire.map((message) => {
    if (message.role === 'tool') return { ...message, tool_call_id: nameOf(message.tool_call_id) };
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: nameOf(call.id) })) };
  });
}

/** Nine lower-case letters and digits. */
function hashOf(text: string): string {
  return newSha256().update(text).digest('hex').slice(0, 9);
}
