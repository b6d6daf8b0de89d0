import * as z from 'zod';
import type { JsonValue } from '../../util/json';
import { messageOf } from '../../util/errors';
import { once } from '../../util/lazy';
import { describeIssues } from '../../util/zodIssues';
import { AgentError } from '../errors';
import { checkImage } from '../images/imagePart';
import type { AssistantMessage, ImagePart, Message } from '../messages';
import { idOf, isCall } from '../run/toolCalls/call';
import { plainJson } from './plainJson';
import { describeWaiting } from './waitingCall';
import type { WaitingRun } from './waitingRun';

/** The most characters of a saved run. */
const MAX_SIZE = 64_000_000;

/** Made on first use, because most programs save no run. */
const savedRun = once(() => {
  const json = z.custom<JsonValue>((value) => value !== undefined);
  const id = z.string().min(1).max(1_000);
  const name = z.string().max(1_000);
  const input = z.record(z.string(), json);

  const Image = z
    .strictObject({ type: z.literal('image'), image: z.string(), name: z.string().optional() })
    .transform((part, context): ImagePart => {
      try {
        return checkImage(part);
      } catch (error) {
        context.addIssue(messageOf(error));
        return z.NEVER;
      }
    });

  const UserPart = z.union([z.strictObject({ type: z.literal('text'), text: z.string() }), Image]);

  const ToolResult = z.strictObject({
    type: z.literal('tool_result'),
    toolUseId: id,
    toolName: name.optional(),
    content: z.union([z.string(), z.array(json), input]),
    images: z.array(Image).optional(),
    isError: z.boolean(),
  });

  const AssistantPart = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string() }),
    z.strictObject({ type: z.literal('thinking'), text: z.string() }),
    z.strictObject({ type: z.literal('tool_use'), id, name, input, written: z.string().optional() }),
    z.strictObject({
      type: z.literal('tool_use_error'),
      error: z.string(),
      rawData: z.string().optional(),
      toolUseId: id.optional(),
      toolName: name.optional(),
    }),
  ]);

  const SavedMessage = z.discriminatedUnion('role', [
    z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(UserPart)]) }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.array(AssistantPart),
      stopReason: z.enum(['stop', 'tool_use', 'length', 'content_filter', 'incomplete', 'interrupted']).optional(),
    }),
    z.strictObject({ role: z.literal('tool'), content: ToolResult }),
  ]);

  return z.strictObject({
    format: z.literal('open-agent-waiting-run'),
    version: z.literal(1),
    calls: z
      .array(
        z.strictObject({
          toolUseId: id,
          toolName: name,
          input,
          plan: json.optional(),
          isReading: z.literal(true).optional(),
          planHash: z.string().regex(/^[0-9a-f]{64}$/),
        }),
      )
      .min(1),
    history: z.array(SavedMessage).min(1),
  });
});

/**
 * Reads a saved run: its JSON text, or the value of that text. It may come from anybody, so all of it is checked. Each call
 * has the hash of what it shows, and waits at the end of the history. Throws `invalid_options` that says what is wrong.
 */
export function parseWaitingRun(saved: unknown): WaitingRun {
  try {
    const parsed = savedRun().safeParse(plainJson(valueOf(saved), MAX_SIZE));
    if (!parsed.success) throw new Error(describeIssues(parsed.error));
    assertWaits(parsed.data);
    return parsed.data;
  } catch (cause) {
    const message = `The saved run cannot be used: ${messageOf(cause)}. Nothing was executed.`;
    throw new AgentError({ code: 'invalid_options', message }, { cause });
  }
}

function valueOf(saved: unknown): unknown {
  if (typeof saved !== 'string') return saved;
  if (saved.length > MAX_SIZE) throw new Error(`it has more than ${MAX_SIZE} characters`);
  return JSON.parse(saved);
}

function assertWaits({ calls, history }: WaitingRun): void {
  const open = openCallsOf(history);
  let last = -1;
  for (const call of calls) {
    if (describeWaiting(call).planHash !== call.planHash) {
      throw new Error(`the hash of the call "${call.toolUseId}" is not that of its arguments and plan`);
    }
    const index = open.indexOf(call.toolUseId);
    if (index <= last)
      throw new Error(`no call "${call.toolUseId}" waits at the end of its history, or not in this order`);
    last = index;
  }
}

/** The ids of the calls without a result. Throws when results are missing anywhere else, or are in another order. */
function openCallsOf(history: readonly Message[]): readonly string[] {
  let open: string[] = [];
  for (const message of history) {
    if (message.role === 'tool') {
      if (open.shift() !== message.content.toolUseId) throw new Error('its history has a result without a call');
      continue;
    }
    if (open.length > 0) throw new Error('its history has a call without a result');
    if (message.role === 'assistant') open = callIdsOf(message);
  }
  return open;
}

function callIdsOf({ content }: AssistantMessage): string[] {
  const ids = content.filter(isCall).map(idOf);
  if (new Set(ids).size !== ids.length) throw new Error('its history has two calls with one id');
  return ids;
}
