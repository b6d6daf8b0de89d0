import * as z from 'zod';
import type { BridgeEvent, BridgeReply } from '../../bridge/messages';

const text = z.string();

const Event: z.ZodType<BridgeEvent> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sent') }),
  z.object({ type: z.literal('head'), status: z.number(), headers: z.record(text, text) }),
  z.object({ type: z.literal('data'), base64: text }),
  z.object({ type: z.literal('end') }),
  z.object({ type: z.literal('failed'), code: text, message: text }),
]);

const Reply: z.ZodType<BridgeReply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), origins: z.array(text) }),
  z.object({ kind: z.literal('chosen'), origin: text.optional() }),
  z.object({ kind: z.literal('keyChanged'), isChanged: z.boolean() }),
  z.object({ kind: z.literal('started'), id: text }),
  z.object({ kind: z.literal('events'), events: z.array(Event) }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({ kind: z.literal('refused'), reason: z.enum(['consent', 'request', 'busy', 'gone']), message: text }),
]);

/** Any extension on the laptop could have registered the command. `undefined`: not a reply of this version. */
export function parseReply(value: unknown): BridgeReply | undefined {
  return Reply.safeParse(value).data;
}
